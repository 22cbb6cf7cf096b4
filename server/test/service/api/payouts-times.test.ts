// A payout has the time of its creation, also if its call had to wait before.

import { expect, test } from "vitest";
import { idTimeMs } from "../../../src/platform/base/ids.ts";
import { newPayout } from "../../support/post-requests.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();
const { receiver_id, account_id } = await newPayout(caller);
const to = { receiver_id, account_id };

/** Locks the balance, so that no payout can be created until the returned function is called. */
async function lockBalance() {
  const holder = await service.db.pool.connect();
  await holder.query("begin");
  await holder.query("select from ledger_balance where subaccount_id = $1 for update", [
    caller.subaccountId,
  ]);
  return async () => {
    await holder.query("rollback");
    holder.release();
  };
}

/** The start times of the transactions that wait for the balance, in milliseconds. */
async function waitingSince(): Promise<number[]> {
  const { rows } = await service.db.pool.query<{ ms: number }>(
    `select floor(extract(epoch from xact_start) * 1000)::float8 as ms from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_balance%'`,
  );
  return rows.map(({ ms }) => ms);
}

test.each([{}, { "idempotency-key": "late" }])(
  "a payout that waited for the balance has the time of the transaction that created it (%j)",
  async (headers) => {
    const release = await lockBalance();
    const body = { ...to, amount: 1, currency: "AUD", reference: JSON.stringify(headers) };
    const paying = caller.call("POST", "/api/payout/single", { body, headers });
    // Each attempt times out soon and is retried: wait for the third.
    const begun = new Set<number>();
    await expect
      .poll(
        async () => {
          for (const ms of await waitingSince()) begun.add(ms);
          return begun.size;
        },
        { interval: 10, timeout: 60_000 },
      )
      .toBeGreaterThanOrEqual(3);
    await release();
    const { json } = await paying;
    const payout = await caller.disburse.payouts.get(json.payload.payout_id);
    expect(Number(payout.created_at)).toBeGreaterThanOrEqual(Math.max(...begun));
    expect(Number(payout.created_at)).toBe(idTimeMs(payout.id));
    const { rows } = await service.db.pool.query(
      "select created_at_ms from ledger_transfer where subaccount_id = $1 and payout_id = $2",
      [caller.subaccountId, payout.id],
    );
    expect(rows).toEqual([{ created_at_ms: payout.created_at }]);
  },
);

test("a batch that waited for the balance has the time at which it locked the balance", async () => {
  const release = await lockBalance();
  const payouts = [1, 2].map((amount) => ({ ...to, amount, currency: "AUD", reference: "batch" }));
  const paying = caller.call("POST", "/api/payout/batch", { body: { payouts } });
  await expect.poll(async () => (await waitingSince()).length).toBe(1);
  const releasedMs = Date.now();
  await release();
  const { batch_id, payouts: made } = (await paying).json.payload;
  for (const id of [batch_id, ...made.map(({ payout_id }: { payout_id: string }) => payout_id)]) {
    expect(idTimeMs(id)).toBeGreaterThanOrEqual(releasedMs);
  }
});
