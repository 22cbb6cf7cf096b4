// Sends every failure in the same envelope. Internal errors are logged; the caller gets only a request id.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import { newId } from "../base/index.ts";
import { isOutage, moveStateOf } from "../db/index.ts";
import { isUnreadable, UnknownDataKey } from "../encryption/index.ts";
import { type Code, movedRefusal, type Problem, Refusal, refusals } from "../refusals/index.ts";

const ErrorEntry = Type.Object({
  code: Type.String(),
  message: Type.String(),
  field: Type.Optional(Type.String({ description: "The field at fault, where there is one" })),
});

export const Failure = Type.Object(
  { message: Type.String(), error: Type.Array(ErrorEntry) },
  { title: "Failure" },
);
export type Failure = Static<typeof Failure>;

function failure(message: string, { problems }: Refusal): Failure {
  return { message, error: [...problems] };
}

/** Codes for requests that Fastify itself refuses, by its status. */
const frameworkRefusals: Record<number, Code> = {
  400: "SYST106",
  404: "SYST101",
  413: "SYST104",
  415: "SYST105",
};

export function toRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  const moved = moveStateOf(error);
  if (moved) return movedRefusal(moved);
  const { statusCode, code = "" } = error as Partial<FastifyError>;
  // A caller that disconnects within a body causes ECONNRESET too, but then Fastify has set a status.
  const isTheirs = code.startsWith("FST_") || (code === "ECONNRESET" && statusCode !== undefined);
  const isLoadingKey = error instanceof UnknownDataKey && error.isLoading;
  if (!isTheirs && (isOutage(error) || isLoadingKey)) {
    return new Refusal("SYST503", { headers: { "retry-after": "1" } });
  }
  if (isUnreadable(error)) return new Refusal("SYST112");
  const known = isTheirs ? frameworkRefusals[statusCode ?? 500] : undefined;
  if (known) return new Refusal(known);
  return new Refusal("SYST500", { message: `internal error, request ${requestId}` });
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error, request.id);
  const [{ code, message }] = refusal.problems;
  const context = { request_id: request.id, err: error };
  if (code === "SYST500") request.log.error(context, "internal error");
  else if (code === "SYST112") request.log.error(context, "a stored value can't be decrypted");
  else if (code === "SYST503") request.log.warn(context, "database unavailable");
  reply.refused = refusal.problems;
  const operation = request.routeOptions?.config?.failure ?? message;
  void reply
    .code(refusal.status)
    .headers({
      // Set by a hook already, but hooks don't run for a path that can't be decoded.
      "x-request-id": request.id,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-type": "application/json; charset=utf-8",
      link: helpLinks(refusal.problems),
      ...refusal.headers,
    })
    .serializer(JSON.stringify)
    .send(shown(request, failure(code === "SYST500" ? "internal error" : operation, refusal)));
}

/** So many fit into a header. A refusal has more only where a batch has many wrong rows. */
const helpLinksMax = 8;

/** The pages of the codes, in the documentation of this installation. */
function helpLinks(problems: readonly Problem[]): string {
  const codes = [...new Set(problems.map(({ code }) => code))].slice(0, helpLinksMax);
  return codes.map((code) => `</docs/errors/${code}>; rel="help"`).join(", ");
}

/** The console's forms show the cure at the field. Responses of /api are published without one. */
function shown({ url }: FastifyRequest, { message, error }: Failure): Failure {
  if (!url.startsWith("/console/api/")) return { message, error };
  return { message, error: error.map((entry) => ({ ...entry, ...cureOf(entry) })) };
}

/** Only for the general text: a text for the specific case says more than the cure. */
function cureOf({ code, message }: Failure["error"][number]): { cure?: string } {
  const [, text, cure] = refusals[code as Code];
  return text === message ? { cure } : {};
}

const socketRefusals: Record<string, Code> = {
  HPE_HEADER_OVERFLOW: "SYST107",
  ERR_HTTP_REQUEST_TIMEOUT: "SYST108",
};

/** For input that is no valid HTTP: there is no request, so the envelope is written to the socket. */
export function sendFailureOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // A complete request before the broken one must be answered first, so that the responses keep their order.
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (response?.req.complete && !response.writableFinished) {
    response.once("finish", () => sendFailureOnSocket(error, socket));
    return;
  }
  const refusal = new Refusal(socketRefusals[error.code ?? ""] ?? "SYST106");
  const body = JSON.stringify(failure(refusal.problems[0].message, refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${newId()}\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nlink: ${helpLinks(refusal.problems)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}
