// Payouts and deliveries without a pause, while a scenario takes the database away. In the end nothing acknowledged may be
// lost, nothing doubled, and the books must be right.

import { setTimeout as sleep } from "node:timers/promises";
import type { DisburseError } from "../../../client/src/index.ts";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import {
  committedEvents,
  newPayer,
  type Payer,
  payoutIds,
  payUntilMade,
  untilDrained,
} from "../support/payers.ts";
import { type Serving, serve } from "../support/process.ts";
import { startSink } from "../support/sink.ts";
import { addThreeSpeeds } from "../support/three-speeds.ts";
import { contradictions } from "./payouts-books.ts";

export type OutageLoad = Awaited<ReturnType<typeof startOutageLoad>>;

/** An acknowledged payout, and which of the services made it. */
type Paid = { id: string; atMs: number; service: number };

export type OutageLoadSeen = DeliveryCheck & {
  acknowledged: number;
  /** The number of responses with Retry-After. */
  unavailable: number;
  /** The longest time without an acknowledged payout, and without a received event. */
  longestGapMs: { payouts: number; events: number };
  complaints: string[];
};

const payers = 5;
const callers = 16;
const drainMs = 90_000;

type OutageLoadParts = {
  /** A migrated database. */
  db: Db;
  /** The addresses of the database: a service is started with each of them. */
  urls: string[];
  masterKey: Buffer;
  /** The longest pause of a caller between two payouts. */
  pauseMs?: number;
};

/** Starts services, and callers that retry each payout with its idempotency key until it is made. */
export async function startOutageLoad({ db, urls, masterKey, pauseMs = 20 }: OutageLoadParts) {
  const sink = await startSink((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 10);
  });
  let further: Awaited<ReturnType<typeof addThreeSpeeds>> | undefined;
  const services: Serving[] = [];
  const said: string[] = [];
  const paid: Paid[] = [];
  let unavailable = 0;
  let isOver = false;

  async function onTrouble({ status, code, retryAfterMs, message }: DisburseError): Promise<void> {
    if (status === 503 && retryAfterMs !== null) unavailable += 1;
    else said.push(`a client got ${status} ${code}: ${message}`);
    await sleep(20 + Math.random() * 50);
  }

  async function close(): Promise<void> {
    isOver = true;
    await Promise.all(services.map((service) => service.end("SIGKILL")));
    await sink.close();
    await further?.close();
  }

  async function openPayers(): Promise<Payer[]> {
    for (const url of urls) services.push(await startService(url, masterKey));
    const parts = { db, seal: sealWith(masterKey), baseUrl: baseUrlOf(0) };
    const hooks = Array.from({ length: payers }, (_, index) => sink.url(`/${index}`));
    const opened = await Promise.all(hooks.map((postbackUrl) => newPayer(parts, postbackUrl)));
    further = await addThreeSpeeds(parts, [(opened[0] as Payer).subaccountId]);
    return opened;
  }
  const baseUrlOf = (index: number) => (services[index % services.length] as Serving).baseUrl;
  const all = await openPayers().catch(async (error) => {
    await close();
    throw error;
  });
  const call = async (index: number) => {
    const payer = all[index % payers] as Payer;
    for (let payee = index; !isOver; payee += 1) {
      const id = await payUntilMade(payer, payee, () => baseUrlOf(index), onTrouble);
      paid.push({ id, atMs: Date.now(), service: index % services.length });
      await sleep(Math.random() * pauseMs);
    }
  };
  const calling = Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
  // finish() reports it; before that, it would end the process.
  calling.catch(() => {});

  async function checkEverything(): Promise<DeliveryCheck> {
    const stored = await payoutIds(db);
    const lost = paid.filter(({ id }) => !stored.has(id));
    if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
    // Each call has a reference of its own, and was retried until it was acknowledged.
    const extra = stored.size - new Set(paid.map(({ id }) => id)).size;
    if (extra !== 0) said.push(`${extra} payouts more than were acknowledged`);
    const { rows: doubled } = await db.pool.query(
      "select reference from payout group by reference having count(*) > 1",
    );
    if (doubled.length > 0) said.push(`${doubled.length} idempotency keys have two payouts`);
    const committed = await committedEvents(db);
    const withEvent = new Set(committed.map(({ orderKey }) => orderKey));
    const withoutEvent = paid.filter(({ id }) => !withEvent.has(id));
    if (withoutEvent.length > 0) said.push(`${withoutEvent.length} payouts without an event`);
    for (const found of await contradictions(db)) said.push(JSON.stringify(found));
    for (const found of (await verifyLedger(db)).differences) said.push(JSON.stringify(found));
    return checkDeliveries(committed, sink.received);
  }

  return {
    baseUrl: baseUrlOf(0),
    close,
    complain: (text: string) => void said.push(text),
    /** When payouts were acknowledged and events received. */
    paid: paid as readonly Paid[],
    received: sink.received as readonly { atMs: number }[],
    /** Waits until each service has served as many payouts as it has callers, and as many events were received. */
    async untilFlowing(timeoutMs = 120_000) {
      const counts = () =>
        services.map((_, index) => paid.filter(({ service }) => service === index).length);
      const [before, receivedBefore] = [counts(), sink.received.length];
      const share = callers / services.length;
      const endMs = Date.now() + timeoutMs;
      while (
        counts().some((count, index) => count < (before[index] as number) + share) ||
        sink.received.length < receivedBefore + callers
      ) {
        if (Date.now() > endMs) throw new Error("no payouts or events any more");
        await sleep(10);
      }
    },
    /** Lets the callers finish, waits until all is delivered, ends the service and checks everything. */
    async finish(): Promise<OutageLoadSeen> {
      isOver = true;
      await calling;
      await untilDrained(db, all, drainMs);
      said.push(...((await further?.finish(drainMs)) ?? []));
      const codes = await Promise.all(services.map((service) => service.end()));
      if (codes.some((code) => code !== 0)) said.push(`at the end it exited with ${codes}`);
      const checked = await checkEverything();
      return {
        ...checked,
        acknowledged: paid.length,
        unavailable,
        longestGapMs: { payouts: longestGap(paid), events: longestGap(sink.received) },
        complaints: [...new Set([...said, ...complaints(checked)])],
      };
    },
  };
}

function startService(url: string, masterKey: Buffer): Promise<Serving> {
  return serve({
    NODE_ENV: "production",
    DATABASE_URL: url,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ADMIN_PORT: "0",
    POSTBACK_ADDRESSES: "loopback",
    KYC_SANDBOX_DELAY_MS: "86400000",
    SANDBOX_BANK_DELAY_MS: "50",
    RATE_LIMIT_PER_S: "0",
    LOG_LEVEL: "fatal",
  });
}

function longestGap(times: readonly { atMs: number }[]): number {
  return times.reduce(
    (longest, { atMs }, index) => Math.max(longest, atMs - (times[index - 1]?.atMs ?? atMs)),
    0,
  );
}

/** Milliseconds from each moment to the next payout or event. */
export function nextAfter(
  momentsMs: readonly number[],
  times: readonly { atMs: number }[],
): number[] {
  return momentsMs.map((ms) => (times.find(({ atMs }) => atMs >= ms)?.atMs ?? ms) - ms);
}

/** The longest time without a payout or event in each of the spans, which may begin before the outage does. */
export function longestGaps(
  spans: readonly { fromMs: number; toMs: number }[],
  times: readonly { atMs: number }[],
): number[] {
  return spans.map(({ fromMs, toMs }) =>
    longestGap(times.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)),
  );
}
