// Adds to an operation of openapi.json what its schemas do not say: headers, failures, security.

import type { FastifyContextConfig } from "fastify";
import {
  descriptionOf,
  type EventType,
  eventCatalogue,
  eventSchemas,
} from "../../platform/event-catalogue/index.ts";
import { Failure } from "../../platform/http/index.ts";
import { type Code, refusals } from "../../platform/refusals/index.ts";
import type { Json } from "./openapi-schemas.ts";

export type RouteFacts = { schema: Json; config: FastifyContextConfig };

type Operation = Json & {
  operationId: string;
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
};

/** Codes that every authenticated operation can return. */
const commonCodes = (Object.keys(refusals) as Code[]).filter(
  (code) => /^(AUTH|RATE)/.test(code) && code !== "AUTH107" && code !== "AUTH111",
);
/** Codes of a request that reaches no operation. */
const transportCodes = ["SYST101", "SYST102", "SYST106", "SYST107", "SYST108"] as const;
const serverCodes = [
  ...transportCodes,
  "SYST103",
  "SYST112",
  "SYST500",
  "SYST503",
  "SUBA101",
  "SUBA102",
  "SUBA103",
] as const;
const bodyCodes = ["SYST104", "SYST105", "SYST110"] as const;
const postCodes = ["IDEM101", "IDEM102", "IDEM103"] as const;

const header = (description: string, schema: Json) => ({ description, schema });

export const headers = {
  RequestId: header("Identifies this request in our log. Quote it in questions to the operator", {
    type: "string",
    format: "uuid",
  }),
  Link: header(
    'The next page, as `</api/…?cursor=…>; rel="next"`. Absent on the last page. Use it unchanged',
    { type: "string" },
  ),
  Help: header('The page of each code, as `</docs/errors/<code>>; rel="help"`', { type: "string" }),
  IdempotentReplayed: header(
    "`true` if this is the stored response to the first request with the same Idempotency-Key",
    { type: "string", enum: ["true"] },
  ),
  RetryAfter: header("Seconds to wait before the next attempt", { type: "string" }),
  RateLimit: header("The rest of your quota, if the service limits the rate", {
    type: "string",
  }),
  Allow: header("The methods of this path", { type: "string" }),
  RateLimitPolicy: header("Your quota, if the service limits the rate", { type: "string" }),
};
const refer = (...names: [string, keyof typeof headers][]) =>
  Object.fromEntries(names.map(([name, to]) => [name, { $ref: `#/components/headers/${to}` }]));

const IdempotencyKey = {
  in: "header",
  name: "idempotency-key",
  required: false,
  description:
    "1 to 255 visible characters. For 30 days the same request with the same key is " +
    "executed once, and gets the same response with `idempotent-replayed: true`",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Adds the codes that the operation can be refused with to `codes`. */
export function describeOperation(
  method: string,
  given: Json,
  { schema, config }: RouteFacts,
  codes: Set<Code>,
): Json {
  const operation = given as Operation;
  const { isDryRun, storesNoResponse } = config;
  const takesKey =
    method === "post" && config.scope !== undefined && !isDryRun && !storesNoResponse;
  const own = codesOf(method, schema, config);
  for (const code of own) codes.add(code);
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: Json };
  const isPaged = "cursor" in properties;
  const success: Json = {
    ...operation.responses[200],
    headers: {
      ...refer(["x-request-id", "RequestId"]),
      ...(isPaged && refer(["link", "Link"])),
      ...(takesKey && refer(["idempotent-replayed", "IdempotentReplayed"])),
      ...(config.scope &&
        refer(["ratelimit", "RateLimit"], ["ratelimit-policy", "RateLimitPolicy"])),
    },
  };
  if (config.csv) {
    const text = {
      schema: { type: "string", description: "A header line, then a line for each entry" },
    };
    success.content = { ...(success.content as Json), "text/csv": text };
  }
  if (config.pdf) {
    const document = { schema: { type: "string", format: "binary", description: "The document" } };
    success.content = { ...(success.content as Json), "application/pdf": document };
  }
  const parameters = operation.parameters?.map(withKeys);
  return {
    ...operation,
    ...(parameters && { parameters }),
    ...(takesKey && { parameters: [...(parameters ?? []), IdempotencyKey] }),
    ...(operation.requestBody && {
      requestBody: { ...operation.requestBody, required: !config.emptyBody },
    }),
    security: config.scope ? [{ apiKey: [], signature: [] }] : [],
    responses: { ...operation.responses, 200: success, ...failures(own) },
  };
}

/** A parameter with keys of its own is sent as `name[key]=value`. */
function withKeys(parameter: Json): Json {
  const { type } = (parameter.schema ?? {}) as Json;
  return type === "object" ? { ...parameter, style: "deepObject", explode: true } : parameter;
}

function codesOf(method: string, schema: Json, config: FastifyContextConfig): Set<Code> {
  const { scope, refusals: own = [], isDryRun, storesNoResponse } = config;
  if (!scope) return new Set(transportCodes);
  return new Set<Code>([
    ...own,
    ...commonCodes,
    ...serverCodes,
    ...(method === "get" || isDryRun ? [] : (["AUTH107", "SYST111"] as const)),
    ...(method === "post" && !isDryRun && !storesNoResponse ? postCodes : []),
    ...(schema.body ? bodyCodes : []),
  ]);
}

/** One response for each status, which lists its codes. */
function failures(codes: Set<Code>): Record<string, Json> {
  const byStatus = Map.groupBy(codes, (code) => refusals[code][0] as number);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code} ${refusals[code][1]}`).join("\n\n"),
        headers: {
          ...refer(["x-request-id", "RequestId"], ["link", "Help"]),
          ...(status === 405 && refer(["allow", "Allow"])),
          ...([409, 429, 503].includes(status) && refer(["retry-after", "RetryAfter"])),
        },
        content: { "application/json": { schema: Failure } },
      },
    ]),
  );
}

const webhookHeaders = [
  [
    "webhook-id",
    "`evt_<uuid>`, the same for every attempt: act on it once. `evt_test_<uuid>` is a " +
      "test event",
  ],
  ["webhook-timestamp", "The time of this attempt, in seconds since the Unix epoch"],
  [
    "webhook-signature",
    "`v1,<base64>` for each live secret, separated by spaces: HMAC-SHA256 of " +
      "`<webhook-id>.<webhook-timestamp>.<body>`. One match is enough",
  ],
].map(([name, description]) => ({
  in: "header",
  name,
  required: true,
  description,
  schema: { type: "string" },
}));

export function describeWebhooks(): Json {
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: name,
          tags: ["Webhooks"],
          summary: name,
          description: describeEvent(name as EventType),
          // We are the caller here, and sign with the webhook-signature header.
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: {
              "application/json": { schema, example: eventCatalogue[name as EventType].example },
            },
          },
          responses: { "2XX": { description: "Received. Any other response is a failure." } },
        },
      },
    ]),
  );
}

function describeEvent(type: EventType): string {
  const { isOnRequest } = eventCatalogue[type];
  const note = isOnRequest ? " Only sent where `event_types` of the subaccount names it." : "";
  return descriptionOf(type) + note;
}
