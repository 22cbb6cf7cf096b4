// Two cells behind HAProxy: the default cell and cell b, each a service in its own process with its own PostgreSQL.

import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { masterKeyBytes, type Seal, sealWith } from "../../src/platform/encryption/seal.ts";
import { freePort } from "./free-port.ts";
import { startHaproxy } from "./haproxy.ts";
import { startPostgres } from "./own-postgres.ts";
import { type Environment, type Serving, serve } from "./process.ts";

export type Cell = {
  /** Empty: the default cell. */
  name: string;
  baseUrl: string;
  db: Db;
  seal: Seal;
  metrics(): Promise<string>;
  /** Kills a part of the cell and starts it again. Resolves when the cell is ready. */
  restart(part: CellPart): Promise<void>;
  close(): Promise<void>;
};

export const cellParts = ["service", "database"] as const;
export type CellPart = (typeof cellParts)[number];

export type Cells = Awaited<ReturnType<typeof startCells>>;

export async function startCells(environment: Environment = {}) {
  const masterKey = randomBytes(masterKeyBytes);
  const shared = {
    ...environment,
    MERCHANT_ID: randomUUID(),
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
  };
  const seal = sealWith(masterKey);
  const [byDefault, b] = await Promise.all([
    startCell("", shared, seal),
    startCell("b", shared, seal),
  ]);
  const hostOf = ({ baseUrl }: Cell) => new URL(baseUrl).host;
  const edge = await startHaproxy({ default_cell: hostOf(byDefault), cell_b: hostOf(b) });
  return {
    byDefault,
    b,
    edge,
    merchantId: shared.MERCHANT_ID,
    async close() {
      await edge.close();
      await Promise.all([byDefault.close(), b.close()]);
    },
  };
}

async function startCell(name: string, shared: Environment, seal: Seal): Promise<Cell> {
  const postgres = await startPostgres();
  await postgres.ready();
  const port = await freePort();
  const begin = () =>
    serve({
      NODE_ENV: "production",
      ADMIN_PORT: "0",
      TRUST_PROXY: "127.0.0.1",
      POSTBACK_ADDRESSES: "loopback",
      KYC_SANDBOX_DELAY_MS: "86400000",
      SANDBOX_BANK_DELAY_MS: "50",
      RATE_LIMIT_PER_S: "0",
      ...shared,
      ...(name === "" ? {} : { CELL: name }),
      DATABASE_URL: postgres.url,
      PORT: String(port),
    });
  let service: Serving = await begin();
  const db = connect({ connection: postgres.connection, poolMax: 4 });
  return {
    name,
    baseUrl: service.baseUrl,
    db,
    seal,
    metrics: async () => (await fetch(service.metricsUrl)).text(),
    async restart(part) {
      if (part === "database") await postgres.restart("SIGKILL");
      else {
        await service.end("SIGKILL");
        service = await begin();
      }
      await untilReady(`${service.baseUrl}/readyz`);
    },
    async close() {
      await service.end();
      await db.close();
      await postgres.close();
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(20);
  }
}
