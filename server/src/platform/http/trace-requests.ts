// A span for each request. Its hooks are registered only where tracing is on.

import { readTraceparent, type Span, type Tracer } from "../tracing/index.ts";
import type { Api } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    span?: Span | undefined;
  }
}

/** Must be called before other hooks are added: a request that one of them refuses is traced as well. */
export function traceRequests(app: Api, tracer: Tracer): void {
  app.decorateRequest("span", undefined);

  app.addHook("onRequest", (request, _reply, done) => {
    const parent = readTraceparent(request.headers.traceparent);
    if (parent !== "ignored") {
      request.span = tracer.start({ name: request.method, kind: "server", parent });
    }
    done();
  });

  app.addHook("preHandler", (request, _reply, done) => {
    if (request.caller && request.span) request.caller.trace = request.span.context;
    done();
  });

  app.addHook("onResponse", ({ span, method, routeOptions, id }, { statusCode }, done) => {
    const route = routeOptions.url ?? "unknown";
    span?.end({
      name: `${method} ${route}`,
      hasFailed: statusCode >= 500,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": statusCode,
        "disburse.request_id": id,
      },
    });
    done();
  });
}
