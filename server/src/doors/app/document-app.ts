// The service without a database, for what is made of its routes: documents, and the documentation site as files.

import { randomBytes } from "node:crypto";
import { railDirectory, sandboxRail } from "../../money/rails/index.ts";
import { kycProviders } from "../../people/kyc-providers/index.ts";
import { noScreening } from "../../people/screening/index.ts";
import { readConfig } from "../../platform/config/index.ts";
import { connect } from "../../platform/db/index.ts";
import { masterKeyBytes, sealWith } from "../../platform/encryption/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { createLog } from "../../platform/log/index.ts";
import { buildApp } from "./app.ts";

export async function withDocumentApp<T>(work: (app: Api) => Promise<T> | T): Promise<T> {
  // The pool never connects.
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
  });
  try {
    await app.ready();
    return await work(app);
  } finally {
    await app.close();
    await db.close();
  }
}
