// Concurrent payouts: more than the funds cover, over one process and two, with cancels and the bank at work. The held
// money never exceeds the funds, and no payout is created or cancelled twice.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { contradictions } from "../scenarios/payouts-books.ts";
import { scale } from "../scenarios/scale.ts";
import { newPayee } from "../support/payers.ts";
import { type Serving, serve } from "../support/process.ts";
import { openWire, type RawAnswer, requestBytes } from "../support/raw-http.ts";
import { newCaller, newDatabase, settingsOf, sign, type TestCaller } from "../support/service.ts";

type Deployment = Awaited<ReturnType<typeof open>>;
let slow: Deployment;
let quick: Deployment;
const neverMs = "86400000";
beforeAll(async () => {
  slow = await open({ SANDBOX_BANK_DELAY_MS: neverMs });
  quick = await open({ SANDBOX_BANK_DELAY_MS: "10" });
});
afterAll(async () => {
  for (const deployment of [slow, quick]) await deployment?.close();
});

/** A new database with two processes on it. */
async function open(environment: Record<string, string>) {
  const database = await newDatabase();
  const start = () =>
    serve({
      ...settingsOf(database),
      KYC_SANDBOX_DELAY_MS: neverMs,
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "error",
      NODE_ENV: "production",
      ...environment,
    });
  const started = await Promise.allSettled([start(), start()]);
  const processes = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const close = async () => {
    await Promise.all(processes.map((process) => process.end("SIGKILL")));
    await database.db.close();
  };
  if (processes.length < 2) {
    await close();
    throw (started.find(({ status }) => status === "rejected") as PromiseRejectedResult).reason;
  }
  const [one, two] = processes as [Serving, Serving];
  const ports = [one, two].map(({ baseUrl }) => Number(new URL(baseUrl).port));
  return { db: database.db, ports, close, caller: () => newPayer({ ...database, ...one }) };
}

type Payer = TestCaller & { to: { receiver_id: string; account_id: string } };

async function newPayer(deployment: Parameters<typeof newCaller>[0]): Promise<Payer> {
  const caller = await newCaller(deployment);
  const to = await newPayee(caller.disburse, "12345999");
  return { ...caller, to };
}

const fund = ({ disburse }: Payer, amount: number) =>
  disburse.testHelpers.fund({ amount, currency: "AUD", reference: randomUUID() });

const path = "/api/payout/single";
type Shot = { payer: Payer; path: string; body: object; key?: string };
/** The outcome is `done`, `again` for a replay, or the status and code of the refusal. */
type PayoutAnswer = { outcome: string; id: string | undefined; stage: string | undefined };

const creation = (payer: Payer, reference: string, key?: string): Shot => ({
  payer,
  path,
  body: { ...payer.to, amount: 100, currency: "AUD", reference },
  ...(key !== undefined && { key }),
});
const cancellation = (payer: Payer, id: string): Shot => ({
  payer,
  path: `/api/payout/${id}/cancel`,
  body: {},
});

function bytesOf({ payer: { key, secret }, path, body, ...shot }: Shot, version: 1 | 2): Buffer {
  const text = JSON.stringify(body);
  const headers = {
    "x-api-key": key,
    signature: sign({ key, secret, method: "POST", path, body: text, version }),
    "content-type": "application/json",
    ...(shot.key !== undefined && { "idempotency-key": shot.key }),
  };
  return requestBytes({ method: "POST", path, headers: Object.entries(headers), body: text });
}

function read({ status, headers, text }: RawAnswer): PayoutAnswer {
  const { error, payload } = JSON.parse(text);
  const isReplay = headers.get("idempotent-replayed") === "true";
  const outcome = status === 200 ? (isReplay ? "again" : "done") : `${status} ${error[0].code}`;
  return { outcome, id: payload?.payout_id ?? payload?.id, stage: payload?.stage };
}

/** Sends the shots that `next` gives over `width` connections, one at a time on each. */
async function fire(
  ports: number[],
  next: () => Shot | undefined,
  { width = 64, onAnswer = (_shot: Shot, _answer: PayoutAnswer) => {} } = {},
): Promise<{ shot: Shot; answer: PayoutAnswer }[]> {
  const answers: { shot: Shot; answer: PayoutAnswer }[] = [];
  const worker = async (_: unknown, index: number) => {
    const wire = await openWire(ports[index % ports.length] as number);
    try {
      for (let shot = next(); shot; shot = next()) {
        wire.write(bytesOf(shot, answers.length % 3 === 0 ? 2 : 1));
        const answer = read((await wire.answer()) as RawAnswer);
        answers.push({ shot, answer });
        onAnswer(shot, answer);
      }
    } finally {
      wire.socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return answers;
}

/** The count of each outcome, such as `{ done: 500, "409 PAYO227": 500 }`. */
function countOutcomes(answers: { answer: PayoutAnswer }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answer } of answers) counts[answer.outcome] = (counts[answer.outcome] ?? 0) + 1;
  return counts;
}

async function expectSound(db: Db): Promise<void> {
  expect(await contradictions(db)).toEqual([]);
  expect((await verifyLedger(db)).differences).toEqual([]);
}

async function idsOf({ pool }: Db, { subaccountId }: Payer): Promise<string[]> {
  const text = "select id from payout where subaccount_id = $1 order by id";
  return (await pool.query<{ id: string }>(text, [subaccountId])).rows.map(({ id }) => id);
}

const secondsSince = (ms: number) => ((performance.now() - ms) / 1000).toFixed(1);

test.each([1, 2])(
  "PAYO227: of 1,000 payouts whose funds cover 500, over %i process(es), exactly those are held",
  async (processes) => {
    const { db, ports, caller } = slow;
    const payer = await caller();
    await fund(payer, 50_000);
    const shots = Array.from({ length: 1_000 }, (_, index) => creation(payer, `r${index}`));
    const startedMs = performance.now();
    const answers = await fire(ports.slice(0, processes), () => shots.pop());
    const seconds = secondsSince(startedMs);

    expect(countOutcomes(answers)).toEqual({ done: 500, "409 PAYO227": 500 });
    const balances = await payer.disburse.balance.get();
    expect(balances).toEqual([{ currency: "AUD", available: 0, held: 50_000, in_transit: 0 }]);
    const ids = answers.flatMap(({ answer: { id } }) => id ?? []);
    expect(ids.sort()).toEqual(await idsOf(db, payer));
    await expectSound(db);
    console.info(
      `1,000 payouts, funds for 500, 64 connections, ${processes} process(es), ${seconds} s: 500 held, 500 PAYO227`,
    );
  },
);

test("PAYO227: 1,000 payouts, each sent to two processes at once under one key, become 500", async () => {
  const { db, ports, caller } = slow;
  const payer = await caller();
  await fund(payer, 50_000);
  const requests = Array.from({ length: 1_000 }, (_, index) =>
    creation(payer, `k${index}`, randomUUID()),
  );
  // Each process gets the whole list, over 32 connections.
  const offer = () => {
    const left = requests.values();
    return () => left.next().value;
  };
  const [here = 0, there = 0] = ports;
  const both = await Promise.all([here, there].map((port) => fire([port], offer(), { width: 32 })));
  const answers = both.flat();
  expect(countOutcomes(answers)).toEqual({ done: 500, again: 500, "409 PAYO227": 1_000 });
  const byKey = Map.groupBy(answers, ({ shot }) => shot.key);
  for (const pair of byKey.values()) {
    expect(new Set(pair.map(({ answer }) => answer.id)).size).toBe(1);
  }
  const ids = new Set(answers.flatMap(({ answer: { id } }) => id ?? []));
  expect([...ids].sort()).toEqual(await idsOf(db, payer));
  await expectSound(db);
  console.info(
    "2,000 calls under 1,000 keys over two processes: 500 payouts, each returned to both",
  );
});

type Crowd = { deployment: Deployment; payers: Payer[]; creates: number };

/** Creates and cancels payouts at once, each cancel sent twice. Returns the responses and the cancelled ids. */
async function crowd({ deployment: { ports }, payers, creates }: Crowd) {
  const cancels: Shot[] = [];
  let made = 0;
  const next = () => {
    const cancel = cancels.shift();
    if (cancel || made === creates) return cancel;
    made += 1;
    return creation(payers[made % payers.length] as Payer, `m${made}`);
  };
  const onAnswer = (shot: Shot, { outcome, id }: PayoutAnswer) => {
    if (shot.path !== path || outcome !== "done" || Math.random() < 0.4) return;
    // Both are next to each other in the queue, so that two connections send them at once.
    cancels.push(...Array.from({ length: 2 }, () => cancellation(shot.payer, id as string)));
  };
  const answers = await fire(ports, next, { onAnswer });
  // The cancels that the last responses caused.
  answers.push(...(await fire(ports, () => cancels.shift())));
  const creations = answers.filter(({ shot }) => shot.path === path);
  const cancelled = answers.filter(({ shot }) => shot.path !== path);
  expect(creations).toHaveLength(creates);
  return {
    creations,
    cancelled,
    cancelledIds: new Set(
      cancelled.flatMap(({ answer: { outcome, id } }) => (outcome === "done" ? id : [])),
    ),
  };
}

test("with creates and cancels at once, released money is paid out again, and never twice", async () => {
  const { db, caller } = slow;
  const payer = await caller();
  await fund(payer, 10_000);
  const startedMs = performance.now();
  const { creations, cancelled, cancelledIds } = await crowd({
    deployment: slow,
    payers: [payer],
    creates: scale(400, 2_000),
  });
  const { done = 0, "409 PAYO227": refused = 0, ...others } = countOutcomes(creations);
  expect(others).toEqual({});
  // No payout is sent to the bank here, so every cancel succeeds, also the second one.
  expect(countOutcomes(cancelled)).toEqual({ done: cancelledIds.size * 2 });
  expect(new Set(cancelled.map(({ answer }) => answer.stage))).toEqual(new Set(["cancelled"]));
  const held = (done - cancelledIds.size) * 100;
  const balances = await payer.disburse.balance.get();
  expect(balances).toEqual([{ currency: "AUD", available: 10_000 - held, held, in_transit: 0 }]);
  expect(held).toBeLessThanOrEqual(10_000);
  expect(done).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(0);
  const { rows } = await db.pool.query(
    "select min(available_after), max(held_after) from ledger_transfer where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(Number(rows[0].min)).toBeGreaterThanOrEqual(0);
  expect(Number(rows[0].max)).toBeLessThanOrEqual(10_000);
  await expectSound(db);
  console.info(
    `${creations.length} creates and ${cancelled.length} cancels over two processes, funds for 100 at a time, ` +
      `${secondsSince(startedMs)} s: ${done} made, ${cancelledIds.size} cancelled once each, ${refused} PAYO227`,
  );
});

test("while both processes send to the bank, each payout is either sent or cancelled", async () => {
  const { db, caller } = quick;
  const payers = await Promise.all(Array.from({ length: 8 }, caller));
  for (const [index, number] of ["12345999", "12345111", "12345444"].entries()) {
    const payer = payers[index] as Payer;
    payer.to = await newPayee(payer.disburse, number);
  }
  for (const payer of payers) await fund(payer, 10_000);
  const startedMs = performance.now();
  const { creations, cancelled, cancelledIds } = await crowd({
    deployment: quick,
    payers,
    creates: scale(150, 4_000),
  });
  const { done = 0, "409 PAYO227": refused = 0, ...others } = countOutcomes(creations);
  expect(others).toEqual({});
  const { done: taken = 0, "409 PAYO301": late = 0, ...strange } = countOutcomes(cancelled);
  expect(strange).toEqual({});
  expect(taken).toBeGreaterThan(0);
  await expectSound(db);
  const stages = async () => {
    const text = "select stage, count(*)::int from payout group by 1 order by 1";
    const { rows } = await db.pool.query<{ stage: string; count: number }>(text);
    return Object.fromEntries(rows.map(({ stage, count }) => [stage, count]));
  };
  await expect
    .poll(async () => Object.keys(await stages()))
    .toEqual(["cancelled", "rejected", "returned", "settled"]);
  const ended = await stages();
  expect(ended.cancelled).toBe(cancelledIds.size);
  expect(Object.values(ended).reduce((sum, count) => sum + count, 0)).toBe(done);
  await expectSound(db);
  const deadlocks = `select deadlocks::int from pg_stat_database where datname = current_database()`;
  const { rows } = await db.pool.query(deadlocks);
  expect(rows).toEqual([{ deadlocks: 0 }]);
  console.info(
    `${creations.length} creates of 8 subaccounts and ${cancelled.length} cancels, the bank at work in two processes, ` +
      `${secondsSince(startedMs)} s: ${done} made, ${refused} PAYO227, ${late} cancels too late; ` +
      `${JSON.stringify(ended)}; ${rows[0].deadlocks} deadlocks`,
  );
});
