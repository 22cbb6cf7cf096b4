// One subaccount does not delay another: locks, connections, turns of batches, and the rate of rows.

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { rateLimiter } from "../../src/platform/base/rate-limit.ts";
import { turns } from "../../src/platform/batching/turns.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { closeAfterTests, expectBalancedLedger } from "../support/close-after-tests.ts";
import { newPayee, type Payee } from "../support/payers.ts";
import {
  type Service,
  startService,
  startServiceForTest,
  type TestCaller,
} from "../support/service.ts";

const service = await closeAfterTests(
  startService({ bankDelayMs: 86_000_000 }),
  expectBalancedLedger,
);

type Payer = TestCaller & { to: Payee };

async function newPayer(of: Service = service): Promise<Payer> {
  const caller = await of.newCaller();
  const to = await newPayee(caller.disburse);
  await caller.call("POST", "/api/test-helpers/fund", {
    body: { amount: 1_000_000, currency: "AUD" },
  });
  return Object.assign(caller, { to });
}

const rowTo = ({ to }: Payer, reference: string) => ({
  ...{ ...to, amount: 1, currency: "AUD", reference },
});
const pay = (payer: Payer, reference: string) =>
  payer.call("POST", "/api/payout/single", { body: rowTo(payer, reference) });
const payBatch = (payer: Payer, payouts: readonly unknown[]) =>
  payer.call("POST", "/api/payout/batch", { body: { payouts } });

/** Keeps a subaccount's balance locked, as a transaction of another process would. */
async function lockBalance(of: Service, { subaccountId }: TestCaller) {
  const client = new pg.Client(of.url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query("select from ledger_balance where subaccount_id = $1 for update", [
    subaccountId,
  ]);
  return { release: () => client.query("commit") };
}

test("while one subaccount's balance is locked, its payouts wait and those of another are created", async () => {
  const [locked, other] = [await newPayer(), await newPayer()];
  const lock = await lockBalance(service, locked);
  let ended = 0;
  const waiting = Array.from({ length: 40 }, (_, index) =>
    pay(locked, `w${index}`).finally(() => {
      ended += 1;
    }),
  );
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => pay(other, `o${index}`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(ended).toBe(0);
  await lock.release();
  const late = await Promise.all(waiting);
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([200]));
});

test("writes of one subaccount that wait for a lock leave connections to others", async () => {
  const [locked, other] = [await newPayer(), await newPayer()];
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => pay(locked, `c${index}`)),
  );
  const ids = made.map(({ json }) => json.payload.payout_id);
  const otherId = (await pay(other, "c")).json.payload.payout_id;
  const lock = await lockBalance(service, locked);
  const waiting = ids.map((id) => locked.call("POST", `/api/payout/${id}/cancel`));
  const cancelled = await other.call("POST", `/api/payout/${otherId}/cancel`);
  expect(cancelled.status).toBe(200);
  expect((await other.call("GET", "/api/balance")).status).toBe(200);
  await lock.release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

test("RATE102: payout batches of one subaccount run one at a time, and too many are refused", async () => {
  const [loud, other] = [await newPayer(), await newPayer()];
  // Mostly spaces, so that it is large and fast to process. All of them fit into the memory for one key.
  const space = " ".repeat(limits.batchBodyBytesMax / 3);
  const large = (reference: string) =>
    `{"payouts":[${JSON.stringify(rowTo(loud, reference))}]${space}}`;
  const lock = await lockBalance(service, loud);
  const fits = 1 + Math.floor(limits.payoutBatchesWaitingBytesMax / large("0").length);
  const sent = Array.from({ length: fits + 1 }, (_, index) =>
    loud.call("POST", "/api/payout/batch", { raw: large(String(index)) }),
  );
  const refused = await Promise.race(sent);
  expect([refused.status, refused.json.error[0].code]).toEqual([429, "RATE102"]);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await payBatch(other, [rowTo(other, "b")])).status).toBe(200);
  await lock.release();
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(fits).fill(200), 429]);
});

test("a batch of several chunks is all or nothing, and problems name rows of every chunk", async () => {
  const payer = await newPayer();
  const good = Array.from({ length: limits.payoutBatchChunk + 20 }, (_, index) =>
    rowTo(payer, `r${index}`),
  );
  const duplicate = { ...good[0] };
  const refused = await payBatch(payer, [
    ...good,
    duplicate,
    { ...duplicate, receiver_id: payer.subaccountId },
  ]);
  expect(refused.status).toBe(409);
  expect(refused.json.error).toMatchObject([
    { code: "PAYO226", field: `payouts[${good.length}].reference` },
    { code: "PAYO205", field: `payouts[${good.length + 1}].receiver_id` },
  ]);
  expect((await payer.call("GET", "/api/payout")).json.payload).toEqual([]);
  const made = await payBatch(payer, good);
  expect(made.json.payload.payouts).toHaveLength(good.length);
  const balance = (await payer.call("GET", "/api/balance")).json.payload[0];
  expect(balance).toMatchObject({ held: good.length, available: 1_000_000 - good.length });
});

test("RATE103: a payout batch is charged by its rows, and single payouts are still accepted", async () => {
  const atMs = Date.now();
  const rated = await startServiceForTest({
    rateLimit: { perSecond: 100, burst: 100 },
    clock: () => atMs,
  });
  const payer = await newPayer(rated);
  const rows = Array(limits.payoutBatchMax).fill({});
  expect((await payBatch(payer, rows)).status).toBe(400);
  const refused = await payBatch(payer, [rowTo(payer, "1")]);
  expect([refused.status, refused.json.error[0].code]).toEqual([429, "RATE103"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await pay(payer, "2")).status).toBe(200);
});

test("a call that costs more than the remaining tokens is allowed, and later calls are refused for a while", () => {
  let nowMs = 0;
  const take = rateLimiter({ perSecond: 10, burst: 20 }, () => nowMs);
  expect(take?.("a", 50).allowed).toBe(true);
  expect(take?.("a")).toMatchObject({ allowed: false, headers: { "retry-after": "4" } });
  expect(take?.("b").allowed).toBe(true);
  nowMs = 3_100;
  expect(take?.("a").allowed).toBe(true);
});

test("while one subaccount's balance is locked, the bank gets the payouts of others", async () => {
  // Balances are locked in the order of ids. The waiting one is last, so one statement would hold the other's lock.
  const [other, locked] = [await newPayer(), await newPayer()];
  const ids: string[] = [];
  for (const payer of [other, locked]) ids.push((await pay(payer, "m")).json.payload.payout_id);
  const lock = await lockBalance(service, locked);
  const due = () =>
    service.db.pool.query(
      "update payout set due_at_ms = 1 where id = any($1) and stage = 'queued'",
      [ids],
    );
  const stageOf = async (payer: Payer, id: string) =>
    (await payer.call("GET", `/api/payout/${id}`)).json.payload.stage;
  await due();
  const [otherId, lockedId] = ids as [string, string];
  await expect.poll(() => stageOf(other, otherId)).toBe("submitted");
  expect(await stageOf(locked, lockedId)).toBe("queued");
  await lock.release();
  await due();
  await expect.poll(() => stageOf(locked, lockedId)).toBe("submitted");
});

test("turns are given in order, and a queue has a maximum weight", async () => {
  const line = turns({ atOnce: 1, waitingMax: 10 });
  const order: string[] = [];
  const end = await line.take("a", 100);
  const second = line.take("a", 100).then((endTurn) => {
    order.push("second");
    return endTurn;
  });
  await expect(line.take("a", 1)).rejects.toMatchObject({ status: 429 });
  const endOther = await line.take("b");
  expect(order).toEqual([]);
  end();
  end();
  const endSecond = await second;
  const third = line.take("a");
  endSecond();
  (await third)();
  endOther();
  expect(order).toEqual(["second"]);
});
