// The service under load while its PostgreSQL is shut down at once and started again, over and over.

import { setTimeout as sleep } from "node:timers/promises";
import type { DisburseError } from "../../../client/src/index.ts";
import { connect } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { sealWith } from "../../src/seal.ts";
import { ensureInstallation } from "../../src/subaccounts/installation.ts";
import { waitingCount } from "../support/committed-events.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { committedEvents, newPayer, payoutIds, payUntilMade } from "../support/payers.ts";
import { serve } from "../support/process.ts";
import { startSink } from "../support/sink.ts";

type DatabaseRestarts = {
  restarts: number;
  masterKey: Buffer;
  onRestart?: (done: number) => void;
};

type DatabaseRestartsSeen = DeliveryCheck & {
  acknowledged: number;
  /** The number of responses with Retry-After. */
  unavailable: number;
  /** Milliseconds from PostgreSQL's restart to /readyz, to the next payout, and to the next event received. */
  readyMs: number[];
  paidMs: number[];
  receivedMs: number[];
  complaints: string[];
};

const payers = 5;
const callers = 16;
const readyMsMax = 2_000;
const drainMs = 90_000;

export async function restartDatabase(options: DatabaseRestarts): Promise<DatabaseRestartsSeen> {
  const { restarts, masterKey, onRestart = () => {} } = options;
  const postgres = await startPostgres();
  const db = connect({ connection: postgres.connection, poolMax: 4 });
  await postgres.ready();
  await migrate(db);
  const seal = sealWith(masterKey);
  await ensureInstallation(db, seal);
  const sink = await startSink((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 10);
  });
  const service = await serve({
    NODE_ENV: "production",
    DATABASE_URL: postgres.url,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ADMIN_PORT: "0",
    POSTBACK_ADDRESSES: "loopback",
    KYC_SANDBOX_DELAY_MS: "86400000",
    SANDBOX_BANK_DELAY_MS: "50",
    RATE_LIMIT_PER_S: "0",
    LOG_LEVEL: "fatal",
  });
  const { baseUrl } = service;
  const said: string[] = [];
  const paid: { id: string; atMs: number }[] = [];
  let unavailable = 0;
  let isOver = false;
  const back: number[] = [];
  const readyMs: number[] = [];

  async function onTrouble({ status, code, retryAfterMs, message }: DisburseError): Promise<void> {
    if (status === 503 && retryAfterMs !== null) unavailable += 1;
    else said.push(`a client got ${status} ${code}: ${message}`);
    await sleep(20 + Math.random() * 50);
  }

  const untilReady = async () => {
    const sinceMs = performance.now();
    for (;;) {
      const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return performance.now() - sinceMs;
      if (performance.now() - sinceMs > 30_000) return Number.POSITIVE_INFINITY;
      await sleep(20);
    }
  };

  try {
    const all = await Promise.all(
      Array.from({ length: payers }, (_, index) =>
        newPayer({ db, seal, baseUrl }, sink.url(`/${index}`)),
      ),
    );
    const call = async (index: number) => {
      const payer = all[index % payers] as (typeof all)[number];
      for (let payee = index; !isOver; payee += 1) {
        const id = await payUntilMade(payer, payee, () => baseUrl, onTrouble);
        paid.push({ id, atMs: Date.now() });
        await sleep(Math.random() * 20);
      }
    };
    const calling = Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
    for (let done = 1; done <= restarts; done += 1) {
      const [before, receivedBefore] = [paid.length, sink.received.length];
      while (paid.length < before + callers || sink.received.length < receivedBefore + callers) {
        await sleep(10);
      }
      await sleep(Math.random() * 500);
      await postgres.restart("SIGQUIT");
      back.push(Date.now());
      readyMs.push(Math.round(await untilReady()));
      onRestart(done);
    }
    await sleep(1_000);
    isOver = true;
    await calling;
    const endMs = Date.now() + drainMs;
    const isPending = "select 1 from payout where stage = 'queued' limit 1";
    while (
      Date.now() < endMs &&
      ((await waitingCount(db)) > 0 || (await db.pool.query(isPending)).rowCount)
    ) {
      await sleep(100);
    }
    const code = await service.end();
    if (code !== 0) said.push(`at the end it exited with ${code}`);

    const stored = await payoutIds(db);
    const lost = paid.filter(({ id }) => !stored.has(id));
    if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
    const committed = await committedEvents(db);
    const withEvent = new Set(committed.map(({ orderKey }) => orderKey));
    const withoutEvent = paid.filter(({ id }) => !withEvent.has(id));
    if (withoutEvent.length > 0) said.push(`${withoutEvent.length} payouts without an event`);
    const checked = checkDeliveries(committed, sink.received);
    const late = readyMs.filter((ms) => ms > readyMsMax);
    if (late.length > 0) said.push(`ready only after ${late.join(", ")} ms`);
    const next = (times: { atMs: number }[]) =>
      back.flatMap((ms) => (times.find(({ atMs }) => atMs >= ms)?.atMs ?? ms) - ms);
    return {
      ...checked,
      ...{ acknowledged: paid.length, unavailable, readyMs },
      ...{ paidMs: next(paid), receivedMs: next(sink.received) },
      complaints: [...new Set([...said, ...complaints(checked)])],
    };
  } finally {
    isOver = true;
    await service.end("SIGKILL");
    await sink.close();
    await db.close();
    await postgres.close();
  }
}
