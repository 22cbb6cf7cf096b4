// /console/api: the endpoints behind the console, listed by hand. Every one of them passes the gate.

import { importRoutes } from "../operator/imports/routes.ts";
import type { ImportParts } from "../operator/imports/run.ts";
import { meRoutes } from "../operator/me/routes.ts";
import { type ConsolePayoutParts, consolePayoutRoutes } from "../operator/payouts/routes.ts";
import type { Api } from "./api.ts";
import type { Asker } from "./console-api.ts";
import { consoleGate, type GateParts } from "./console-gate.ts";
import { readObject } from "./content.ts";

export type ConsoleParts = GateParts & ConsolePayoutParts & ImportParts;

export async function registerConsole(app: Api, parts: ConsoleParts): Promise<void> {
  const { db } = parts;
  app.decorateRequest("asker", null as unknown as Asker);
  await app.register(async (console: Api) => {
    const admit = consoleGate(parts);
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

    meRoutes(console, { db });
    consolePayoutRoutes(console, parts);
    importRoutes(console, parts);
  });
}
