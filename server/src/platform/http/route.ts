// Types and functions for routes: the typed Fastify instance, the route config, the success envelope.

import type { Readable } from "node:stream";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import Type, { type TSchema } from "typebox";
import type { Caller, Scope } from "../base/index.ts";
import type { StoredResponse } from "../idempotency/index.ts";
import type { Code, Problem } from "../refusals/index.ts";

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every route that has a scope, before its handler runs. */
    caller: Caller;
  }
  interface FastifyReply {
    /** The response of a successful write, and whether it was replayed. */
    written: string | undefined;
    replayed: boolean;
    /** Problems of a refused request. */
    refused: readonly Problem[] | undefined;
  }
  interface FastifyContextConfig {
    /** The top-level `message` of every failure of this operation. */
    failure?: string;
    /** The scope that the key needs. A route without one needs no authentication. */
    scope?: Scope;
    /** Codes that only this operation returns, for the documentation. */
    refusals?: readonly Code[];
    /** Answers with a stream of server-sent events instead of the envelope. */
    stream?: boolean;
    /** The list is also available as CSV, for callers that accept only CSV. */
    csv?: boolean;
    /** It is also available as a PDF document, for callers that accept only PDF. */
    pdf?: boolean;
    /** The code for a body that is not one JSON object. */
    badBody?: Code;
    /**
     * How many rows a body has, before it is checked. Such bodies are large: they are read one at a time for each
     * subaccount (`request.batchTurn`), and charged by their rows.
     */
    rowsIn?: (body: object) => number;
    /** A POST that writes nothing: an Idempotency-Key has no effect, and its nonce is not stored. */
    isDryRun?: boolean;
    /** A POST whose response must not be stored: an Idempotency-Key has no effect. Its nonce is stored. */
    storesNoResponse?: boolean;
    /** The body may be left out, which is the same as an object without fields. */
    emptyBody?: boolean;
  }
}

export function success<Payload extends TSchema>(payload: Payload) {
  return Type.Object({ message: Type.String(), payload }, { description: "Done" });
}

/** A path parameter stays plain text: an invalid id is answered like an unknown one. */
export const ById = Type.Object({ id: Type.String() });

/** Sends a response that is JSON already. */
export function sendJson(reply: unknown, body: string): FastifyReply {
  return (reply as FastifyReply).type("application/json; charset=utf-8").send(body);
}

/** Sends the response of a write: the exact bytes that are stored for its idempotency key. */
export function sendWritten(reply: unknown, { body, replayed }: StoredResponse): FastifyReply {
  const plain = reply as FastifyReply;
  plain.written = body;
  plain.replayed = replayed;
  if (replayed) plain.header("idempotent-replayed", "true");
  return sendJson(plain, body);
}

/** Sends CSV instead of the envelope: a page as text, or a whole file as a stream. */
export function sendCsvList(reply: unknown, lines: string | Readable): never {
  return (reply as FastifyReply)
    .type("text/csv; charset=utf-8")
    .serializer((text: unknown) => text as string)
    .send(lines) as never;
}

type Headed = { header(name: string, value: string): unknown };

/** Links to the next page, if there is one. */
export function linkNextPage(
  reply: Headed,
  path: string,
  query: object,
  cursor: string | null,
): void {
  if (cursor === null) return;
  const fields = Object.entries<unknown>({ ...query, cursor }).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, String(inner)])
      : [[name, String(value)]],
  );
  const next = new URLSearchParams(fields);
  reply.header("link", `<${path}?${next}>; rel="next"`);
}

/** The codes that the fields of a body or query can be refused with, for the documentation. */
export function codesOf({ properties }: { properties: Record<string, unknown> }): Code[] {
  return Object.values(properties).flatMap((field) =>
    Object.values((field as { codes?: Record<string, Code> }).codes ?? {}),
  );
}
