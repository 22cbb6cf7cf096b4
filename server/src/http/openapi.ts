// /openapi.json, made from the routes, their schemas and the table of codes. Nothing is written twice.

import swagger from "@fastify/swagger";
import Type from "typebox";
import { eventSchemas } from "../events/schema.ts";
import { type Code, refusals } from "../refusals.ts";
import { version } from "../version.ts";
import type { Api } from "./api.ts";
import { Failure } from "./envelope.ts";

type Json = { [key: string]: unknown };

const signed = { security: [{ apiKey: [], signature: [] }] };

/** Refusals that any operation with a scope can give, and those of writes alone. */
const commonCodes = (Object.keys(refusals) as Code[]).filter(
  (code) => /^(AUTH|RATE)/.test(code) && code !== "AUTH107" && code !== "AUTH111",
);
const writeCodes = ["AUTH107"] as const;
const postCodes = ["IDEM101", "IDEM102", "IDEM103"] as const;
const serverCodes = ["SYST103", "SYST106", "SYST500", "SYST503", "SUBA101"] as const;
const bodyCodes = ["SYST104", "SYST105"] as const;

const PostHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      description:
        "1 to 255 visible characters. The same request under the same key is done once, and answered " +
        "with the same bytes and `idempotent-replayed: true` for 30 days",
      minLength: 1,
      maxLength: 255,
    }),
  ),
});

export async function registerOpenApi(app: Api): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Disburse",
        version,
        summary: "Pay people: receivers, their bank accounts, payouts, events",
        description: introduction,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: [
        { name: "Receivers", description: "People who are to be paid." },
        { name: "Receiver accounts", description: "Where they are paid." },
        { name: "Payouts", description: "Paying them." },
        { name: "Balance", description: "What there is to pay with, and every move of it." },
        { name: "Events", description: "What you were told, and what became of it." },
        { name: "Subaccount", description: "Who is calling." },
        { name: "Test helpers", description: "What test subaccounts can make happen." },
        { name: "Operations", description: "For load balancers and operators." },
        { name: "Errors", description: errorTable() },
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
      webhooks: webhooks() as never,
    },
    transform: ({ schema, url, route }) => {
      const { scope, refusals: own = [] } = route.config ?? {};
      if (!scope) return { schema: schema as never, url };
      const isPost = route.method === "POST";
      const codes = [
        ...own,
        ...commonCodes,
        ...serverCodes,
        ...(route.method === "GET" ? [] : writeCodes),
        ...(isPost ? postCodes : []),
        ...(schema.body ? bodyCodes : []),
      ];
      const response = { ...(schema.response as Json), ...failures(new Set(codes)) };
      const headers = isPost ? { headers: PostHeaders } : {};
      return { schema: { ...schema, ...headers, ...signed, response } as never, url };
    },
    transformObject: (document) =>
      withComponents(("openapiObject" in document ? document.openapiObject : {}) as Json) as never,
  });

  app.get("/openapi.json", { schema: { hide: true } as never }, async (_request, reply) =>
    reply.type("application/json").send(app.swagger()),
  );
}

/** One response for each status, which names the codes that come with it. */
function failures(codes: Set<Code>): Json {
  const byStatus = Map.groupBy(codes, (code) => refusals[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code} ${refusals[code][1]}`).join("\n\n"),
        content: { "application/json": { schema: Failure } },
      },
    ]),
  );
}

function webhooks(): Json {
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: name,
          summary: name,
          description: (schema as { description?: string }).description,
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { "2XX": { description: "Heard. Any other answer is a failure." } },
        },
      },
    ]),
  );
}

/** Schemas with a title become components, so that tools give their types the same names everywhere. */
function withComponents(document: Json): Json {
  const schemas: Json = {};
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== "object" || value === null) return value;
    const { codes, rules, aliases, unknownField, ...rest } = value as Json;
    const copy = Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [key, hoist(inner)]),
    );
    if (codes && copy.type) copy["x-refusals"] = codes;
    if (copy.type !== "object" || typeof copy.title !== "string") return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  const hoisted = hoist(document) as Json & { components: Json };
  return { ...hoisted, components: { ...hoisted.components, schemas } };
}

/** Every code, as a Markdown table. */
export function errorTable(): string {
  const rows = Object.entries(refusals).map(
    ([code, [status, text, cure]]) => `| ${code} | ${status} | ${text} | ${cure} |`,
  );
  return [
    "| code | status | cause, as its text says it | cure |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

const introduction = `
Every call carries \`x-api-key\` and \`signature\`. A success is \`{message, payload}\`; a failure is
\`{message, error: [{code, message, field?}]}\` and lists every problem of the request at once. Decide on
\`code\`: it never changes its meaning. Every answer carries \`x-request-id\`.

**Version 1** signs the time and the key:

\`\`\`text
signature: <ms>.<hex>
hex = HMAC-SHA256(secret, "<ms>.<api key>")
\`\`\`

**Version 2** signs the whole request, and makes a write impossible to repeat:

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
