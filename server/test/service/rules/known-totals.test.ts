// Totals that a process keeps in memory are used only while no other process has changed the balance.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createPayouts,
  createPayoutsIn,
  isRefused,
  toPayoutCreation,
} from "../../../src/money/payouts/create.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect, type Db, type Tx } from "../../../src/platform/db/connect.ts";
import { keyCache } from "../../../src/tenants/api-keys/cache.ts";
import { updateKeysVersion } from "../../../src/tenants/api-keys/queries.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { newRuledPayer, slowBankMs } from "../../support/ruled-payers.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: slowBankMs }) }]);
const hourMs = 3_600_000;

let service: ConsoleService;
/** Two processes of the same service. */
let processes: readonly [Db, Db];
beforeAll(async () => {
  service = await startConsole({ bankDelayMs: slowBankMs });
  const connection = { connectionString: service.url };
  processes = [connect({ connection, poolMax: 2 }), connect({ connection, poolMax: 2 })];
});
afterAll(async () => {
  for (const db of processes) await db.close();
  await service.close();
});

/** A subaccount whose rule refuses what goes above the limit. */
async function limited(above: number, of: "receiver" | "subaccount" = "receiver") {
  const payer = await newRuledPayer(service);
  const when = { fact: "sum", of, window: "hour", above } as const;
  await payer.rules({ when, act: { act: "refuse" } });
  const { subaccountId } = payer;
  const caller = {
    subaccountId,
    mode: "test",
    key: "",
    requestId: newId(),
    nonce: undefined,
  } as const;
  const creation = (amount: number, payee = payer.payees[0]) =>
    toPayoutCreation(caller, {
      receiverId: payee.receiver_id,
      accountId: payee.account_id,
      amount: BigInt(amount),
      currency: "AUD",
      reference: newId(),
      ...{ note: "", allowDuplicate: false, sendOn: "", statementReference: "", purpose: "" },
    });
  return {
    ...payer,
    creation,
    /** Whether it is accepted. */
    pay: async (db: Db, amount: number) => {
      const [outcome] = await createPayouts({ db, rails }, [creation(amount)]);
      return outcome !== undefined && !isRefused(outcome);
    },
  };
}

/** The statements that read totals while `work` runs. */
async function readsDuring(db: Db, work: (watched: Db) => Promise<unknown>): Promise<number> {
  let reads = 0;
  const watch = (tx: Tx): Tx => ({
    ...tx,
    run: (statement, values) => {
      if (statement.name.startsWith("payout-totals")) reads += 1;
      return tx.run(statement, values);
    },
  });
  await work({
    ...db,
    transaction: (inTx, options) => db.transaction((tx) => inTx(watch(tx)), options),
  });
  return reads;
}

test("a process alone reads the totals once", async () => {
  const { pay } = await limited(1_000);
  const [db] = processes;
  expect(await readsDuring(db, (watched) => pay(watched, 100))).toBeGreaterThan(0);
  const reads = await readsDuring(db, async (watched) => {
    for (let count = 0; count < 5; count += 1) expect(await pay(watched, 100)).toBe(true);
  });
  expect(reads).toBe(0);
});

test("two processes that take turns go up to the limit and never above it", async () => {
  const { pay } = await limited(1_000);
  const accepted: boolean[] = [];
  for (let turn = 0; turn < 12; turn += 1) accepted.push(await pay(processes[turn % 2] as Db, 100));
  expect(accepted).toEqual([...Array(10).fill(true), false, false]);
});

test("two processes at the same time never go above the limit", async () => {
  const { pay } = await limited(1_000, "subaccount");
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => pay(processes[index % 2] as Db, 100)),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(10);
});

test("what was rolled back is not remembered", async () => {
  const { pay, creation } = await limited(1_000);
  const [db] = processes;
  await pay(db, 100);
  const undone = db.transaction(async (tx) => {
    await createPayoutsIn(tx, rails, [creation(800)]);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect([await pay(db, 900), await pay(db, 1)]).toEqual([true, false]);
});

test("payouts that left the window make room, although the known start of the window is old", async () => {
  const { pay, age } = await limited(1_000);
  const [db] = processes;
  for (let count = 0; count < 10; count += 1) expect(await pay(db, 100)).toBe(true);
  expect(await pay(db, 1)).toBe(false);
  await age(hourMs);
  expect([await pay(db, 1_000), await pay(db, 1)]).toEqual([true, false]);
});

test("a move of a subaccount forgets what is known: it may have come back from another cell", async () => {
  const { pay } = await limited(1_000);
  const [db] = processes;
  const keys = keyCache({ db, seal: service.seal, clock: Date.now });
  const readsOfPayout = () => readsDuring(db, (watched) => pay(watched, 100));
  await keys.findAsOfNow("unknown");
  await readsOfPayout();
  await keys.findAsOfNow("unknown");
  expect(await readsOfPayout()).toBe(0);
  await db.transaction(updateKeysVersion);
  await keys.findAsOfNow("unknown");
  expect(await readsOfPayout()).toBeGreaterThan(0);
  await keys.close();
});

test("a new connection forgets what is known: it may be to another server", async () => {
  const { pay } = await limited(1_000);
  const db = connect({ connection: { connectionString: service.url }, poolMax: 2 });
  await pay(db, 100);
  expect(await readsDuring(db, (watched) => pay(watched, 100))).toBe(0);
  await (await db.openClient()).end();
  expect(await readsDuring(db, (watched) => pay(watched, 100))).toBe(0);
  const client = await db.pool.connect();
  const second = await db.pool.connect();
  client.release();
  second.release();
  expect(await readsDuring(db, (watched) => pay(watched, 100))).toBeGreaterThan(0);
  await db.close();
});
