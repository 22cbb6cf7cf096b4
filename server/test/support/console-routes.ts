// Every route under /console/api, read from the router, so that a test of all routes misses none.

import { randomBytes } from "node:crypto";
import { buildApp } from "../../src/doors/app/app.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { kycProviders } from "../../src/people/kyc-providers/providers.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { masterKeyBytes, sealWith } from "../../src/platform/encryption/seal.ts";
import { createLog } from "../../src/platform/log/log.ts";

export type Route = { method: string; path: string };

export async function consoleRoutes(): Promise<Route[]> {
  // The routes don't depend on it: the pool never connects.
  const db = connect({ connection: {}, poolMax: 1 });
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
  await app.ready();
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();
  await db.close();
  return routesOf(tree).filter(({ path }) => path.startsWith("/console/api/"));
}

/** Each line of the tree is a piece of an address, indented by four for each piece before it. */
function routesOf(tree: string): Route[] {
  const pieces: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent, piece, methods] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined || piece === undefined) return [];
    pieces.length = indent.length / 4;
    pieces.push(piece);
    const path = pieces.join("");
    return (methods?.split(", ") ?? []).map((method) => ({ method, path }));
  });
}
