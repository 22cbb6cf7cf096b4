// Payouts on hold: they are never sent, callers learn nothing but `review`, and a release never approves.

import { afterAll, expect, test } from "vitest";
import {
  expireHolds,
  holdPayoutsOf,
  refusePayout,
  releasePayout,
} from "../../../src/money/payouts/hold.ts";
import { listHolds } from "../../../src/money/payouts/hold-queries.ts";
import type { HoldReason } from "../../../src/money/payouts/hold-reason.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { contradictions } from "../../scenarios/payouts-books.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";

// The bank takes so long that no payout is sent while a test looks at it.
const delayMs = 3_600_000;
const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs }) }]);
const service = await closeAfterTests(startConsole({ bankDelayMs: delayMs }), expectBalancedLedger);
const admin = service.enter("admin");
const reviewer = service.enter("operator");
await Promise.all([admin.ready, reviewer.ready]);
afterAll(async () => {
  expect(await contradictions(service.db)).toEqual([]);
});

type Payer = Awaited<ReturnType<typeof newPayer>>;
const screening: HoldReason = { kind: "screening", hit_id: newId() };

/** A subaccount with money and a receiver, in which payouts above 100.00 AUD need approval. */
async function newPayer() {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const set = await admin.put(`/s/${subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 10_000,
  });
  expect(set.status).toBe(200);
  const to = { receiver_id, account_id, currency: "AUD" };
  const by = (who: string) => ({ who, atMs: Date.now(), reason: "looked at it" });
  return {
    ...caller,
    pay: async (amount: number) =>
      (await disburse.payouts.create({ ...to, amount, reference: newId() })).payout_id,
    hold: (reason: HoldReason = screening) =>
      service.db.transaction((tx) =>
        holdPayoutsOf(
          tx,
          { subaccountId, receiverId: receiver_id },
          { who: "service", atMs: Date.now(), reason },
        ),
      ),
    release: (id: string, { who } = reviewer as { who: string }) =>
      service.db.transaction((tx) =>
        releasePayout(tx, { subaccountId, id }, { ...by(who), rails }),
      ),
    refuse: (id: string, { who } = reviewer as { who: string }) =>
      service.db.transaction((tx) => refusePayout(tx, { subaccountId, id }, by(who))),
    holds: (id: string) => listHolds(service.db, { subaccountId, id }, 10),
    balance: async () => (await disburse.balance.get())[0],
    eventTypes: async (id: string) => {
      const { rows } = await service.db.pool.query(
        "select type from event where subaccount_id = $1 and order_key = $2 order by number",
        [subaccountId, id],
      );
      return rows.map(({ type }) => type);
    },
  };
}

async function heldPayout(payer: Payer, amount = 5_000): Promise<string> {
  const id = await payer.pay(amount);
  expect((await payer.hold()).held).toContain(id);
  return id;
}

test("a payout on hold is pending for review, keeps its money, and is never due", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  expect(await payer.disburse.payouts.get(id)).toMatchObject({
    status: "pending",
    stage: "on_hold",
    hold_reason: "review",
  });
  const { rows } = await service.db.pool.query("select due_at_ms from payout where id = $1", [id]);
  expect(rows).toEqual([{ due_at_ms: null }]);
  expect(await payer.balance()).toMatchObject({ available: 995_000, held: 5_000 });
  const history = await payer.disburse.payouts.history(id);
  expect(JSON.stringify(history)).not.toMatch(/screen|hit|sanction/i);
  expect(history[0]).toMatchObject({ reason: "on hold for a review", who: "service" });
});

test("a payout that is not on hold has no hold_reason", async () => {
  const payer = await newPayer();
  const payout = await payer.disburse.payouts.get(await payer.pay(5_000));
  expect(payout).not.toHaveProperty("hold_reason");
});

test("a hold takes queued payouts and those that wait for approval; a held one gets one reason more", async () => {
  const payer = await newPayer();
  const [small, large] = [await payer.pay(5_000), await payer.pay(10_001)];
  expect((await payer.hold()).held.toSorted()).toEqual([small, large].toSorted());
  const other: HoldReason = { kind: "screening", hit_id: newId() };
  expect(await payer.hold(other)).toEqual({ held: [], inBankFile: [] });
  await payer.hold(other);
  expect((await payer.holds(small))[0]?.reasons).toEqual([screening, other]);
});

test("a released payout is queued with a new time, and can be paid", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  expect(await payer.release(id)).toMatchObject({ stage: "queued", status: "pending" });
  const { rows } = await service.db.pool.query("select due_at_ms from payout where id = $1", [id]);
  expect(Number(rows[0].due_at_ms)).toBeGreaterThan(Date.now());
  expect((await payer.holds(id))[0]).toMatchObject({
    decision: "released",
    decided_by: reviewer.who,
    decided_why: "looked at it",
  });
  await payer.disburse.testHelpers.setStatus({ id, type: "payout", status: "success" });
  expect((await payer.disburse.payouts.get(id)).status).toBe("successful");
});

test("a release never approves: a payout above the threshold waits for approval", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer, 10_001);
  expect(await payer.release(id)).toMatchObject({ stage: "awaiting_approval" });
  const path = `/s/${payer.subaccountId}/payouts/${id}/approve`;
  expect((await reviewer.post(path)).status).toBe(200);
  expect((await payer.disburse.payouts.get(id)).stage).toBe("queued");
});

test("a payout on hold can't be approved", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer, 10_001);
  const refused = await reviewer.post(`/s/${payer.subaccountId}/payouts/${id}/approve`);
  expect(refused.json).toMatchObject({ error: [{ code: "CONS401" }] });
});

test("the user who created a payout can't release it", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  await service.db.pool.query("update payout set created_by = $2 where id = $1", [
    id,
    reviewer.who,
  ]);
  await expect(payer.release(id)).rejects.toMatchObject({ problems: [{ code: "CONS402" }] });
  expect(await payer.release(id, admin)).toMatchObject({ stage: "queued" });
});

test("a refused payout fails without a reason that callers could read, and gives its money back", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  expect(await payer.refuse(id)).toMatchObject({ stage: "cancelled", status: "failed" });
  expect(await payer.disburse.payouts.get(id)).toMatchObject({ cause: "refused after a review" });
  expect(await payer.balance()).toMatchObject({ available: 1_000_000, held: 0 });
  await expect(payer.release(id)).rejects.toMatchObject({ problems: [{ code: "CONS508" }] });
});

test("a caller cancels a payout on hold", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  expect(await payer.disburse.payouts.cancel(id)).toMatchObject({ stage: "cancelled" });
  expect((await payer.holds(id))[0]).toMatchObject({ decision: "cancelled" });
  expect(await payer.balance()).toMatchObject({ available: 1_000_000 });
});

test("of a release and a refusal at the same time, one succeeds", async () => {
  const payer = await newPayer();
  const id = await heldPayout(payer);
  const outcomes = await Promise.allSettled([
    payer.release(id),
    payer.refuse(id),
    payer.release(id),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("payoutOnHold and payoutReleased are sent to subaccounts that requested them", async () => {
  const payer = await newPayer();
  const silent = await heldPayout(payer);
  await payer.release(silent);
  expect(await payer.eventTypes(silent)).toEqual(["payoutCreated"]);
  await payer.disburse.subaccount.update({ event_types: ["payoutOnHold", "payoutReleased"] });
  const id = await heldPayout(payer);
  await payer.release(id);
  expect(await payer.eventTypes(id)).toEqual(["payoutCreated", "payoutOnHold", "payoutReleased"]);
});

test("after 30 days without a decision a payout fails and its money is available again", async () => {
  const payer = await newPayer();
  const [old, young] = [await payer.pay(5_000), await payer.pay(6_000)];
  await payer.hold();
  const ageMs = limits.holdExpiresMs;
  await service.db.pool.query(
    "update payout_hold set since_ms = since_ms - $2 where payout_id = $1",
    [old, ageMs],
  );
  expect(await expireHolds(service.db, { nowMs: Date.now(), limit: 10 })).toBe(1);
  expect(await payer.disburse.payouts.get(old)).toMatchObject({
    status: "failed",
    cause: "not released within 30 days",
  });
  expect((await payer.holds(old))[0]).toMatchObject({ decision: "expired" });
  expect((await payer.disburse.payouts.get(young)).stage).toBe("on_hold");
  expect(await payer.balance()).toMatchObject({ available: 994_000, held: 6_000 });
});

test("many payouts of a receiver are held page by page", async () => {
  const payer = await newPayer();
  const count = limits.holdsPageMax + 5;
  const first = await payer.pay(1);
  const { receiver_id, receiver_account_id } = await payer.disburse.payouts.get(first);
  const row = { receiver_id, account_id: receiver_account_id, amount: 1, currency: "AUD" };
  const rows = Array.from({ length: count }, () => ({ ...row, reference: newId() }));
  await payer.disburse.payouts.createBatch(rows);
  expect((await payer.hold()).held).toHaveLength(count + 1);
});
