// Generates /operator/v1/openapi.json from the routes of the operator API and their schemas.

import type { FastifyContextConfig, FastifyReply, RouteOptions } from "fastify";
import { version } from "../../platform/base/index.ts";
import { type Api, Failure } from "../../platform/http/index.ts";
import { type Json, moveSchemasToComponents } from "./openapi-schemas.ts";

export function registerOperatorDocument(app: Api, routes: readonly RouteOptions[]): void {
  let text: string | undefined;
  app.get(
    "/operator/v1/openapi.json",
    { schema: { hide: true } as never },
    async (_request, reply) => {
      text ??= JSON.stringify(operatorDocument(routes));
      return (reply as unknown as FastifyReply).type("application/json").send(text) as never;
    },
  );
}

export function operatorDocument(routes: readonly RouteOptions[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: operationOf(route) };
  }
  return moveSchemasToComponents({
    openapi: "3.1.0",
    info: { title: "Disburse: operator API", version, description },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "ot_… or lt_…" } },
    },
  });
}

const description = [
  "What admins, operators and finance do at the console, for their programs. The same routes,",
  "permissions and audit entries. An admin makes a token (`ot_…`) at the console, under Operator",
  "tokens; it never approves. A user signs in with `disburse login` (`lt_…`, 12 hours). A failure is `{message, error: [{code, message, field?}]}`.",
].join(" ");

const idempotencyKey = {
  in: "header",
  name: "idempotency-key",
  required: false,
  description: "For a day the same request with the same key is done once",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function describe({ act, may, tokens }: FastifyContextConfig): string {
  const facts = [`Needs the permission \`${may}\`.`];
  if (tokens) facts.push("Only with the login of a user who has just proved who they are.");
  if (act) facts.push(`In the audit log: \`${act.name}\`.`);
  return facts.join(" ");
}

type Schemas = { querystring?: Json; body?: Json; response?: Record<number, Json> };

function operationOf({ url, method, schema, config }: RouteOptions): Json {
  const { querystring, body, response } = (schema ?? {}) as Schemas;
  const path = url.slice("/operator/v1/".length);
  const { act } = config ?? {};
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    in: "path",
    name,
    required: true,
    schema: { type: "string" },
  }));
  const required = (querystring?.required ?? []) as string[];
  const inQuery = Object.entries((querystring?.properties ?? {}) as Json).map(([name, one]) => ({
    in: "query",
    name,
    required: required.includes(name),
    schema: one,
  }));
  const success = response?.[200];
  return {
    operationId: `${String(method).toLowerCase()} ${path}`.replace(/\W+/g, "-"),
    summary: act?.summary ?? `${method === "GET" ? "Read" : "Check"} ${wordsOf(path)}`,
    description: config?.open ? "Needs no token." : describe(config ?? {}),
    ...(config?.open && { security: [] }),
    tags: [wordsOf(path.replace(/^s\/:\w+\//, "")).split(" ")[0] ?? ""],
    parameters: [...inPath, ...inQuery, ...(method === "POST" ? [idempotencyKey] : [])],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: { description: "Done", ...(success && { content: json(success) }) },
      default: { description: "Refused", content: json(Failure as unknown as Json) },
    },
  };
}

const json = (schema: Json) => ({ "application/json": { schema } });

/** Of a path, without the names of its parameters. */
function wordsOf(path: string): string {
  const words = path.split("/").filter((word) => word !== "s" && !word.startsWith(":"));
  return words.join(" ").replaceAll(/[-.]/g, " ");
}
