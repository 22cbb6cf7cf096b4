// The service under load while its PostgreSQL is shut down at once and started again, over and over.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { nextAfter, type OutageLoadSeen, startOutageLoad } from "./outage-load.ts";

type DatabaseRestarts = {
  restarts: number;
  masterKey: Buffer;
  onRestart?: (done: number) => void;
};

type DatabaseRestartsSeen = OutageLoadSeen & {
  /** Milliseconds from PostgreSQL's restart to /readyz, to the next payout, and to the next event received. */
  readyMs: number[];
  paidMs: number[];
  receivedMs: number[];
};

const readyMsMax = 2_000;

export async function restartDatabase(options: DatabaseRestarts): Promise<DatabaseRestartsSeen> {
  const { restarts, masterKey, onRestart = () => {} } = options;
  const postgres = await startPostgres();
  const db = connect({ connection: postgres.connection, poolMax: 4 });
  await postgres.ready();
  await migrate(db);
  await ensureInstallation(db, sealWith(masterKey));
  const load = await startOutageLoad({ db, urls: [postgres.url], masterKey });
  const back: number[] = [];
  const readyMs: number[] = [];

  const untilReady = async () => {
    const sinceMs = performance.now();
    for (;;) {
      const answer = await fetch(`${load.baseUrl}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return performance.now() - sinceMs;
      if (performance.now() - sinceMs > 30_000) return Number.POSITIVE_INFINITY;
      await sleep(20);
    }
  };

  try {
    for (let done = 1; done <= restarts; done += 1) {
      await load.untilFlowing();
      await sleep(Math.random() * 500);
      await postgres.restart("SIGQUIT");
      back.push(Date.now());
      readyMs.push(Math.round(await untilReady()));
      onRestart(done);
    }
    await sleep(1_000);
    const late = readyMs.filter((ms) => ms > readyMsMax);
    if (late.length > 0) load.complain(`ready only after ${late.join(", ")} ms`);
    const seen = await load.finish();
    return {
      ...seen,
      readyMs,
      paidMs: nextAfter(back, load.paid),
      receivedMs: nextAfter(back, load.received),
    };
  } finally {
    await load.close();
    await db.close();
    await postgres.close();
  }
}
