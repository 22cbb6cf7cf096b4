// Samples as a chapter of docs/api/interface.md, the last one.

import type { Sample } from "./sample.ts";

const heading = "## Sample responses";

export function withSamples(page: string, samples: readonly Sample[]): string {
  const before = page.split(`\n${heading}\n`)[0]?.trimEnd();
  const byOperation = [...Map.groupBy(samples, ({ operationId }) => operationId).values()];
  const chapters = byOperation.map(
    (group) => `### ${titleOf(group[0] as Sample)}\n\n${group.map(show).join("\n")}`,
  );
  return `${before}\n\n${heading}\n\n${introduction}\n\n${chapters.join("\n")}`;
}

const introduction = `
Requests to a real service and its responses, recorded by \`npm run generate\`. Ids, times, keys and secrets are replaced by
fixed values, and \`x-api-key\` and \`signature\` are omitted. [openapi.json](../../openapi.json) has the same samples.
`.trim();

function titleOf({ operationId, method, path }: Sample): string {
  const bare = path.split("?")[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");
  return `${operationId}: \`${method} ${bare?.replace(/evt_(test_)?<id>/, "<id>")}\``;
}

function show({ summary, method, path, headers = {}, body, status, link, answer }: Sample): string {
  const lines = [`${method} ${path}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(toText(body));
  lines.push("", String(status));
  if (link) lines.push(`link: ${link}`);
  lines.push(toText(answer));
  const text = lines.join("\n").trimEnd().replaceAll("\n", "\n    ").replaceAll(/ +$/gm, "");
  const title = summary === "Done" ? "" : `${summary}:\n\n`;
  return `${title}    ${text}\n`;
}

const widthMax = 100;

/** JSON that takes a line where it fits on one. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : toJson(value, "");
}

function toJson(value: unknown, indent: string): string {
  const short = JSON.stringify(value).replaceAll(
    /("(?:[^"\\]|\\.)*")|([{[,:])/g,
    (_all, text, sign) => text ?? (sign === "," || sign === ":" ? `${sign} ` : sign),
  );
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || short.length + indent.length <= widthMax) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one) => toJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${toJson(one, inner)}`);
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
