// Runs observers after responses are sent, once per turn of the event loop for all responses of that turn. So no observer
// delays a response, and running the same code dozens of times in a row takes half the time.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Api } from "./route.ts";

export type ResponseFacts = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The caller's IP address, read early: a closed connection no longer has it. */
  ip: string | undefined;
};

export type ResponseObserver = (response: ResponseFacts) => void;

export function observeResponses(app: Api, observers: readonly ResponseObserver[]): void {
  let responses: ResponseFacts[] = [];

  app.addHook("onResponse", (request, reply, done) => {
    if (responses.push({ request, reply, ip: request.ip }) === 1) setImmediate(observeAll);
    done();
  });
  app.addHook("onClose", (_app, done) => {
    observeAll();
    done();
  });

  function observeAll(): void {
    const observed = responses;
    responses = [];
    for (const observe of observers) {
      for (const response of observed) {
        try {
          observe(response);
        } catch (error) {
          // An uncaught error would end the process.
          const { request } = response;
          request.log.error({ request_id: request.id, err: error }, "a response observer failed");
        }
      }
    }
  }
}

/**
 * Successful reads are logged at debug level only. The logged fields are a fixed list, so these lines need no redaction.
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
