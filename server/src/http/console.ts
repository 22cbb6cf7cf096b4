// /console/api: the endpoints behind the console, listed by hand. Every one of them passes the gate.

import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { liveStreams } from "../operator/live/live.ts";
import { liveRoutes } from "../operator/live/routes.ts";
import { meRoutes } from "../operator/me/routes.ts";
import { overviewRoutes } from "../operator/overview/routes.ts";
import { reconcileRoutes } from "../operator/reconcile/routes.ts";
import { tallies } from "../operator/tally/catch-up.ts";
import { logIn } from "../people/log-in.ts";
import { findLiveSessions } from "../people/session-queries.ts";
import type { Seal } from "../seal.ts";
import type { Api } from "./api.ts";
import { consoleAddress } from "./console-address.ts";
import type { Asker } from "./console-api.ts";
import { authRoutes } from "./console-auth.ts";
import { consoleGate } from "./console-gate.ts";
import { readObject } from "./content.ts";
import type { Log } from "./log.ts";

export type ConsoleParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  log: Log;
  isDraining: () => boolean;
  consoleUrl: string | undefined;
};

export async function registerConsole(app: Api, parts: ConsoleParts): Promise<void> {
  const { db, seal, clock, log } = parts;
  const { url: consoleUrl, origins } = consoleAddress(app, parts.consoleUrl);
  const onError = (error: unknown) => log.error({ err: error }, "log-in");
  const people = logIn({ db, seal, clock, consoleUrl, onError });
  const tallied = tallies({ db, clock, onError: (error) => log.warn({ err: error }, "tallies") });
  const live = liveStreams({
    ...{ db, clock, isDraining: parts.isDraining },
    findLive: (ids) => findLiveSessions(db, { ids, nowMs: clock() }),
    onError: (error) => log.warn({ err: error }, "live streams"),
  });
  app.addHook("onClose", async () => {
    live.close();
    await tallied.close();
  });
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
    liveRoutes(console, { live });
    overviewRoutes(console, { db, clock, tallies: tallied });
    reconcileRoutes(console, { db, seal, clock, tallies: tallied });
  });
}
