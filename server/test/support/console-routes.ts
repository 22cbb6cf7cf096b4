// Every route under /console/api, with what it declares, as they are registered, so that a test of all routes misses none.

import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { buildApp } from "../../src/doors/app/app.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { kycProviders } from "../../src/people/kyc-providers/providers.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { masterKeyBytes, sealWith } from "../../src/platform/encryption/seal.ts";
import { createLog } from "../../src/platform/log/log.ts";

export type Route = {
  method: string;
  path: string;
  /** What the route declares: its permission, and whether it needs re-authentication. */
  config: FastifyContextConfig;
};

export async function consoleRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", (route) => {
      for (const method of [route.method].flat()) {
        routes.push({ method, path: route.url, config: route.config ?? {} });
      }
    });
  // The routes don't depend on it: the pool never connects.
  const db = connect({ connection: {}, poolMax: 1 });
  subscribe("fastify.initialization", listen);
  const app = await buildApp({
    db,
    seal: sealWith(randomBytes(masterKeyBytes)),
    log: createLog({ level: "silent" }),
    signatureWindowMs: 1,
    rateLimit: { perSecond: 0, burst: 1 },
    kyc: kycProviders(readConfig({}).kyc),
    rails: railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]),
    screener: noScreening,
    oidc: { issuer: "http://127.0.0.1:1", clientId: "a", clientSecret: "b", name: "c" },
  });
  unsubscribe("fastify.initialization", listen);
  await app.ready();
  await app.close();
  await db.close();
  return routes.filter(({ path }) => path.startsWith("/console/api/"));
}
