// Runs observers after responses are sent, each for all responses of a turn of the event loop. So no observer delays a
// response.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log/index.ts";
import type { Metrics } from "../metrics/index.ts";
import { byTurn } from "./by-turn.ts";
import type { Api } from "./route.ts";

export type ResponseFacts = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The caller's IP address, read early: a closed connection no longer has it. */
  ip: string | undefined;
};

export type ResponseObserver = (response: ResponseFacts) => void;

export function observeResponses(app: Api, observers: readonly ResponseObserver[]): void {
  const responses = byTurn<ResponseFacts>((sent) => {
    for (const observe of observers) {
      for (const response of sent) {
        try {
          observe(response);
        } catch (error) {
          // An uncaught error would end the process.
          const { request } = response;
          request.log.error({ request_id: request.id, err: error }, "a response observer failed");
        }
      }
    }
  });

  app.addHook("onResponse", (request, reply, done) => {
    responses.add({ request, reply, ip: request.ip });
    done();
  });
  app.addHook("onClose", (_app, done) => {
    responses.flush();
    done();
  });
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
      token: request.access?.session.token?.name,
    });
  };
}

export function countResponse(metrics: Metrics): ResponseObserver {
  return ({ request, reply }) => {
    const { routeOptions, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.request({ route: routeOptions.url, method, status, seconds: elapsedTime / 1000 });
    if (reply.refused?.[0]?.code === "SYST112") metrics.unreadableValue();
  };
}
