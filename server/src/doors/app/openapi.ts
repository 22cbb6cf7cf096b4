// Generates /openapi.json from the routes, their schemas and the table of codes.

import swagger from "@fastify/swagger";
import { version } from "../../platform/base/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { type Code, refusals } from "../../platform/refusals/index.ts";
import {
  describeOperation,
  describeWebhooks,
  headers,
  type RouteFacts,
} from "./openapi-operation.ts";
import { type Json, moveSchemasToComponents } from "./openapi-schemas.ts";
import { withExamples } from "./samples/examples.ts";
import { readSamples } from "./samples/sample.ts";

export async function registerOpenApi(app: Api): Promise<void> {
  const routes = new Map<string, RouteFacts>();
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Disburse",
        version,
        summary: "Payout API: receivers, their bank accounts, payouts and events",
        description: introduction,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: [
        { name: "Receivers", description: "People and businesses that you pay." },
        { name: "Receiver accounts", description: "Bank accounts of receivers." },
        { name: "Payouts", description: "Payments to receiver accounts." },
        { name: "Balance", description: "Your balances, and every ledger entry." },
        {
          name: "Events",
          description:
            "Events about payouts, identity checks and receiver accounts, and their delivery.",
        },
        { name: "Subaccount", description: "Your own subaccount and its webhook endpoint." },
        { name: "Test helpers", description: "Simulate outcomes and funds, in test mode only." },
        { name: "Operations", description: "For load balancers and operators." },
        { name: "Webhooks", description: "The events that we send to your webhook endpoint." },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
          signature: {
            type: "apiKey",
            in: "header",
            name: "signature",
            description: "`<ms>.<hex>` or `v2.<ms>.<nonce>.<hex>`",
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { operationId } = (schema ?? {}) as { operationId?: string };
      if (operationId) {
        routes.set(operationId, { schema: schema as Json, config: route.config ?? {} });
      }
      return { schema: schema as never, url };
    },
    transformObject: (document) =>
      complete(
        ("openapiObject" in document ? document.openapiObject : {}) as Json,
        routes,
      ) as never,
  });

  app.get("/openapi.json", { schema: { hide: true } as never }, async (_request, reply) =>
    reply.type("application/json").send(app.swagger()),
  );
}

type Document = Json & {
  paths: Record<string, Record<string, Json>>;
  tags: Json[];
  components: Json;
};

function complete(document: Json, routes: Map<string, RouteFacts>): Json {
  const { paths, tags, components, ...rest } = document as Document;
  const codes = new Set<Code>();
  const samples = Map.groupBy(readSamples(), ({ operationId }) => operationId);
  const described = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const facts = routes.get(operation.operationId as string) as RouteFacts;
        const described = describeOperation(method, operation, facts, codes);
        return [
          method,
          withExamples(described, samples.get(operation.operationId as string) ?? []),
        ];
      }),
    ),
  ]);
  return moveSchemasToComponents({
    ...rest,
    tags: [...tags, { name: "Errors", description: errorTable(codes) }],
    paths: Object.fromEntries(described),
    webhooks: describeWebhooks(),
    components: { ...components, headers },
  });
}

/** Every code, or those of a set, as a Markdown table. */
export function errorTable(codes?: ReadonlySet<Code>): string {
  const rows = Object.entries(refusals)
    .filter(([code]) => !codes || codes.has(code as Code))
    .map(([code, [status, text, cure]]) => `| ${code} | ${status} | ${text} | ${cure} |`);
  return ["| code | status | text | cure |", "|---|---|---|---|", ...rows].join("\n");
}

const introduction = `
Every request has \`x-api-key\` and \`signature\`. A success is \`{message, payload}\`; a failure is
\`{message, error: [{code, message, field?}]}\` and lists every problem of the request at once. Use
\`code\` in your program: its meaning never changes. Every response has \`x-request-id\`.

**Version 1** signs the time and the key:

\`\`\`text
signature: <ms>.<hex>
hex = HMAC-SHA256(secret, "<ms>.<api key>")
\`\`\`

**Version 2** signs the whole request. Each signature works once for a write:

\`\`\`text
signature: v2.<ms>.<nonce>.<hex>
hex = HMAC-SHA256(secret, seven lines joined by LF)
  v2
  <ms>
  <nonce>
  <api key>
  <METHOD>
  <path with query, as sent>
  <hex SHA-256 of the body>
\`\`\`
`.trim();
