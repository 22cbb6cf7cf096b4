// /console/api: the endpoints behind the console, listed by hand. Every one of them passes the gate.

import { meRoutes } from "../operator/me/routes.ts";
import { type ReceiverScreenParts, receiverScreenRoutes } from "../operator/receivers/routes.ts";
import { reviewRoutes } from "../operator/reviews/routes.ts";
import { searchRoutes } from "../operator/search/routes.ts";
import { logIn } from "../people/log-in.ts";
import type { Api } from "./api.ts";
import { consoleAddress } from "./console-address.ts";
import type { Asker } from "./console-api.ts";
import { authRoutes } from "./console-auth.ts";
import { consoleGate } from "./console-gate.ts";
import { readObject } from "./content.ts";
import type { Log } from "./log.ts";

export type ConsoleParts = ReceiverScreenParts & { log: Log; consoleUrl: string | undefined };

export async function registerConsole(app: Api, parts: ConsoleParts): Promise<void> {
  const { db, seal, clock, log } = parts;
  const { url: consoleUrl, origins } = consoleAddress(app, parts.consoleUrl);
  const onError = (error: unknown) => log.error({ err: error }, "log-in");
  const people = logIn({ db, seal, clock, consoleUrl, onError });
  app.decorateRequest("asker", null as unknown as Asker);
  await app.register(async (console: Api) => {
    const admit = consoleGate({ db, clock, findSession: people.findSession, origins });
    console.addHook("onRoute", (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    console.addHook("onRequest", admit);
    console.addHook("onRequest", (_request, reply, done) => {
      reply.header("cache-control", "no-store");
      done();
    });
    console.addHook("preValidation", (request, _reply, done) => {
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead) request.body = request.body ? readObject(request.body, "CONS106") : {};
      done();
    });

    authRoutes(console, { db, seal, clock, people, consoleUrl });
    meRoutes(console, { db });
    receiverScreenRoutes(console, parts);
    reviewRoutes(console, parts);
    searchRoutes(console, { db });
  });
}
