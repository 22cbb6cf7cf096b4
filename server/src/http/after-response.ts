// What is noted of requests once they are answered: at the end of the turn of the event loop, for all of that turn.
// So no note delays an answer; and the same few lines of code, run for dozens in a row, take half of the time that they
// take in between everything else.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Api } from "./route.ts";

export type ResponseFacts = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The caller's address. A connection that has ended by the end of the turn no longer tells it. */
  ip: string | undefined;
};

export type ResponseObserver = (answered: ResponseFacts) => void;

export function observeResponses(app: Api, notes: readonly ResponseObserver[]): void {
  let answered: ResponseFacts[] = [];

  app.addHook("onResponse", (request, reply, done) => {
    if (answered.push({ request, reply, ip: request.ip }) === 1) setImmediate(noteAll);
    done();
  });
  app.addHook("onClose", (_app, done) => {
    noteAll();
    done();
  });

  function noteAll(): void {
    const noted = answered;
    answered = [];
    for (const note of notes) {
      for (const one of noted) {
        try {
          note(one);
        } catch (error) {
          // Nobody would catch it, and a note is no reason to end the process.
          const { request } = one;
          request.log.error({ request_id: request.id, err: error }, "an answer was not noted");
        }
      }
    }
  }
}

/**
 * Reads that went well are many and say little; writes and refusals are what one looks for later. The list of what is
 * told is closed, so these lines need no redaction.
 */
export function logResponse(log: Log): ResponseObserver {
  const lines = log.child({}, { redact: [] });
  return ({ request, reply }) => {
    const level = reply.statusCode < 400 && request.method === "GET" ? "debug" : "info";
    if (!lines.isLevelEnabled(level)) return;
    lines[level]({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      subaccount_id: request.caller?.subaccountId,
      key: request.caller?.key,
    });
  };
}

export function countResponse(metrics: Metrics): ResponseObserver {
  return ({ request, reply }) => {
    const { routeOptions, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.request({ route: routeOptions.url, method, status, seconds: elapsedTime / 1000 });
  };
}
