// A subaccount that moves: its requests and its background work stop, and those of others go on.

import { expect, test, vi } from "vitest";
import { addGuards, dropGuards } from "../../../src/doors/moves/guard-queries.ts";
import { neverMs } from "../../../src/doors/moves/move.ts";
import {
  freezeMove,
  insertMove,
  lockMoveWrites,
  thawMove,
} from "../../../src/doors/moves/move-queries.ts";
import { listBacktestBalances } from "../../../src/money/rules/backtest-queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect, type Db } from "../../../src/platform/db/connect.ts";
import { newPayee } from "../../support/payers.ts";
import {
  outcomeOf,
  type Service,
  startServiceForTest,
  type TestCaller,
} from "../../support/service.ts";

async function startMove(db: Db, subaccountId: string): Promise<void> {
  const move = { subaccountId, id: newId(), side: "source", step: "prepared" } as const;
  await insertMove(db, { ...move, other_cell: "b", stopsUntilMs: 0 });
  await addGuards(db, subaccountId);
}

function freeze(db: Db, subaccountId: string, forMs = 60_000): Promise<number> {
  return db.transaction(async (tx) => {
    await lockMoveWrites(tx, subaccountId, 10_000);
    return freezeMove(tx, subaccountId, forMs);
  });
}

async function forgetKeys(db: Db): Promise<void> {
  await db.pool.query("update installation set keys_version = keys_version + 1");
}

async function newPayment({ disburse }: TestCaller) {
  const payee = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 100_000, currency: "AUD", reference: newId() });
  return { ...payee, amount: 100, currency: "AUD", reference: newId() };
}

/** The keys are cached for a moment, so the guards of the tables refuse before the API knows. */
async function outcomeOfPayment({ call }: TestCaller, body: object): Promise<string> {
  const answer = await call("POST", "/api/payout/single", {
    body: { ...body, reference: newId() },
  });
  if (answer.status === 503) expect(answer.headers.get("retry-after")).toBe("1");
  return outcomeOf(answer);
}

async function twoCallers(service: Service) {
  const [mover, other] = [await service.newCaller(), await service.newCaller()];
  return { mover, other, bodies: [await newPayment(mover), await newPayment(other)] as const };
}

test("while it is frozen, every write is refused with 503 and Retry-After, and others go on", async () => {
  const service = await startServiceForTest();
  const { db } = service;
  const { mover, other, bodies } = await twoCallers(service);
  await startMove(db, mover.subaccountId);
  const feed = mover.call("GET", "/api/event/feed", { headers: { accept: "text/event-stream" } });
  expect(await outcomeOfPayment(mover, bodies[0])).toBe("200");
  await freeze(db, mover.subaccountId);
  // At the same time, so that they share statements.
  const outcomes = await Promise.all([
    ...Array.from({ length: 10 }, () => outcomeOfPayment(mover, bodies[0])),
    ...Array.from({ length: 10 }, () => outcomeOfPayment(other, bodies[1])),
  ]);
  expect(outcomes).toEqual([...Array(10).fill("503 SUBA102"), ...Array(10).fill("200")]);
  await forgetKeys(db);
  await vi.waitFor(async () =>
    expect(outcomeOf(await mover.call("GET", "/api/balance"))).toBe("503 SUBA102"),
  );
  // It ends, so that the client connects to the other cell.
  expect((await feed).status).toBe(200);
  await db.transaction((tx) => thawMove(tx, mover.subaccountId));
  await forgetKeys(db);
  // At once: what a process knows about a move is read again before it refuses.
  expect(await outcomeOfPayment(mover, bodies[0])).toBe("200");
  await dropGuards(db, mover.subaccountId);
  expect(await outcomeOfPayment(mover, bodies[0])).toBe("200");
});

test("a freeze ends by itself", async () => {
  const service = await startServiceForTest();
  const mover = await service.newCaller();
  const body = await newPayment(mover);
  await startMove(service.db, mover.subaccountId);
  await freeze(service.db, mover.subaccountId, 1_000);
  await forgetKeys(service.db);
  expect(await outcomeOfPayment(mover, body)).toBe("503 SUBA102");
  await vi.waitFor(async () => expect(await outcomeOfPayment(mover, body)).toBe("200"), 10_000);
});

test("a subaccount that has moved away is refused for good, its rows too", async () => {
  const service = await startServiceForTest();
  const { db } = service;
  const mover = await service.newCaller();
  const body = await newPayment(mover);
  await startMove(db, mover.subaccountId);
  await db.pool.query(
    `update subaccount_move set has_moved = true, writes_stop_until_ms = $2, work_stops_until_ms = $2
     where subaccount_id = $1`,
    [mover.subaccountId, neverMs],
  );
  expect(await outcomeOfPayment(mover, body)).toBe("503 SUBA103");
  const write = "update payout_limit set per_day_max = 1 where subaccount_id = $1";
  await db.pool.query("insert into payout_limit (subaccount_id, currency) values ($1, 'AUD')", [
    newId(),
  ]);
  await expect(
    db.pool.query("insert into payout_limit (subaccount_id, currency) values ($1, 'AUD')", [
      mover.subaccountId,
    ]),
  ).rejects.toThrow("has moved to another cell");
  await db.pool.query(write, [mover.subaccountId]);
});

test("the freeze waits for a transaction that has written, and refuses one that writes later", async () => {
  const service = await startServiceForTest();
  const { db, url } = service;
  const { subaccountId } = await service.newCaller();
  await startMove(db, subaccountId);
  const writer = connect({ connection: { connectionString: url }, poolMax: 1 });
  const client = await writer.pool.connect();
  const insert = (currency: string) =>
    client.query("insert into payout_limit (subaccount_id, currency) values ($1, $2)", [
      subaccountId,
      currency,
    ]);
  await client.query("begin");
  await insert("AUD");
  let isFrozen = false;
  const freezing = freeze(db, subaccountId).then(() => {
    isFrozen = true;
  });
  const waits =
    "select from pg_locks where locktype = 'advisory' and classid = 4242003 and not granted";
  await vi.waitFor(async () => expect((await db.pool.query(waits)).rowCount).toBe(1));
  expect(isFrozen).toBe(false);
  await insert("NZD");
  await client.query("commit");
  await freezing;
  await expect(insert("USD")).rejects.toThrow("is moving to another cell");
  client.release();
  await writer.close();
});

test("background work skips it, and the cleanup leaves its rows", async () => {
  const service = await startServiceForTest({ bankDelayMs: 0 });
  const { db } = service;
  const { mover, other, bodies } = await twoCallers(service);
  await startMove(db, mover.subaccountId);
  await db.pool.query("update subaccount_move set work_stops_until_ms = $1", [neverMs]);
  expect(await outcomeOfPayment(mover, bodies[0])).toBe("200");
  expect(await outcomeOfPayment(other, bodies[1])).toBe("200");
  const stages = async ({ subaccountId }: TestCaller) => {
    const text = "select distinct stage from payout where subaccount_id = $1";
    return (await db.pool.query<{ stage: string }>(text, [subaccountId])).rows.map(
      (row) => row.stage,
    );
  };
  await vi.waitFor(async () => expect(await stages(other)).toEqual(["settled"]), 20_000);
  expect(await stages(mover)).toEqual(["queued"]);
  const first = { subaccountId: "00000000-0000-0000-0000-000000000000", currency: "" };
  const balances = await listBacktestBalances(db, first, 100);
  expect(balances.map(({ subaccountId }) => subaccountId)).toEqual([other.subaccountId]);
  await freeze(db, mover.subaccountId);
  const expired = `insert into api_nonce (subaccount_id, key, nonce, request_id, expires_at_ms)
    values ($1, 'k', 'n', $1, 0)`;
  await db.pool.query(expired, [other.subaccountId]);
  await expect(db.pool.query(expired, [mover.subaccountId])).rejects.toThrow("is moving");
  const removed = await db.pool.query("delete from api_nonce where expires_at_ms < 1");
  expect(removed.rowCount).toBe(1);
});
