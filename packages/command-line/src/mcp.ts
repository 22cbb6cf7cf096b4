// disburse mcp: a server of the Model Context Protocol on the standard input and output, for agents. Its tools read, and with
// --propose they propose what waits for a user. None approves.

import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { asData, dataSentence } from "./mcp-data.ts";
import { docsTools, type McpTool, proposingTools, readingTools } from "./mcp-tools.ts";
import { exitCodes, Problem } from "./problem.ts";
import type { ByToken } from "./profiles.ts";
import { ask, codeOf, refusal } from "./service.ts";

/** Loaded only here: the other commands need no dependency. */
async function loadSdk() {
  try {
    const [{ McpServer, fromJsonSchema }, { serveStdio }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    return { McpServer, fromJsonSchema, serveStdio };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Problem(
      "disburse mcp needs a package that is not installed. Run: npm install --global @modelcontextprotocol/server@2.4.0",
      exitCodes.unexpected,
    );
  }
}

/** Until the agent closes the standard input. */
export async function serveMcp(readProfile: () => ByToken, words: readonly string[]) {
  const unknown = words.find((word) => word !== "--propose");
  if (unknown !== undefined) throw new Problem("Usage: disburse mcp [--propose]");
  const { McpServer, fromJsonSchema, serveStdio } = await loadSdk();
  const profile = readProfile();
  const tools = await toolsFor(profile, words.includes("--propose"));
  const ended = new Promise((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  const serving = serveStdio(() => {
    // The version of the tools, not of the package.
    const server = new McpServer(
      { name: "disburse", version: "1" },
      { instructions: `Payouts, as Disburse has them. ${dataSentence}` },
    );
    for (const tool of [...tools, ...docsTools]) {
      const { name, description, input, required = [] } = tool;
      const schema = { type: "object", properties: input, required, additionalProperties: false };
      const reads = "answer" in tool || tool.route.startsWith("GET ");
      server.registerTool(
        name,
        {
          description,
          inputSchema: fromJsonSchema<Given>(schema as Parameters<typeof fromJsonSchema>[0]),
          annotations: { readOnlyHint: reads, destructiveHint: false, openWorldHint: false },
        },
        (given) => ("answer" in tool ? tool.answer(given) : callRoute(profile, tool.route, given)),
      );
    }
    return server;
  });
  await ended;
  await serving.close();
  return 0;
}

async function toolsFor({ url, token }: ByToken, proposes: boolean): Promise<McpTool[]> {
  const answered = await ask({ url, path: "/me", token });
  if (answered.status !== 200) throw refusal(answered);
  const { permissions } = answered.json as { permissions: string[] };
  // A token for some subaccounts reaches nothing of the company, whatever its role is.
  const { json } = await ask({ url, path: "/rules", token });
  const isOfSome = codeOf(json) === "OPER107";
  const all = proposes ? [...readingTools, ...proposingTools] : readingTools;
  return all.filter(
    ({ may, route }) =>
      permissions.includes(may) && (!isOfSome || may === "read" || route.includes(":subaccountId")),
  );
}

type Given = Record<string, unknown>;

async function callRoute(
  { url, token }: ByToken,
  route: McpTool["route"],
  given: Given,
): Promise<CallToolResult> {
  const [method, template = ""] = route.split(" ");
  const rest = { ...given };
  const place = template.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(given[name]));
  });
  const query = new URLSearchParams(rest as Record<string, string>);
  const { status, json } = await ask(
    method === "GET"
      ? { url, token, path: query.size > 0 ? `${place}?${query}` : place }
      : { url, token, path: place, body: rest, key: randomUUID() },
  );
  return { content: [{ type: "text", text: asData(json) }], isError: status >= 400 };
}
