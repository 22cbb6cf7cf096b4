// A payout that the bank has not confirmed is not sent again while its receiver has an open hit.

import { expect, test } from "vitest";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import type { DirectRail } from "../../../src/money/rails/rail.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { newPayee } from "../../support/payers.ts";
import { openHit } from "../../support/ruled-payers.ts";
import { startService } from "../../support/service.ts";

/** A bank that can't be reached until a test says so. */
let isReachable = false;
const attempts: string[] = [];
const sandbox = sandboxRail({ delayMs: 0 });
const bank: DirectRail = {
  ...sandbox,
  async submit(batch, signal) {
    attempts.push(...batch.payouts.map(({ payoutId }) => payoutId));
    if (!isReachable) throw new Error("connection refused");
    return sandbox.submit(batch, signal);
  },
};

const service = await closeAfterTests(
  startService({ rails: railDirectory([{ mode: "test", rail: bank }]) }),
);

test("it is set aside without a word about screening, and sent when the hit is decided", async () => {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const payee = await newPayee(disburse, "12345999");
  await disburse.testHelpers.fund({ amount: 1_000, currency: "AUD", reference: "first" });
  const request = { ...payee, amount: 100, currency: "AUD", reference: "one" };
  const { payout_id } = await disburse.payouts.create(request);
  await expect.poll(() => attempts).toContain(payout_id);
  const hit = await openHit(service, caller, payee.receiver_id);
  isReachable = true;
  /** Makes it due, and returns how often the worker has taken it and why it is set aside. */
  const dueAgain = async () => {
    const { rows } = await service.db.pool.query(
      `update payout p set due_at_ms = 1 where p.subaccount_id = $1 and p.due_at_ms is not null
       returning p.attempts, (select s.reason from payout_set_aside s where s.payout_id = p.id)`,
      [subaccountId],
    );
    return rows[0] as { attempts: number; reason: string | null };
  };
  const reason = "the bank has not confirmed that it received it, and it waits for a review";
  await expect.poll(dueAgain).toMatchObject({ reason });
  const sent = attempts.length;
  const { attempts: taken } = await dueAgain();
  await expect.poll(async () => (await dueAgain()).attempts).toBeGreaterThan(taken + 2);
  expect(attempts).toHaveLength(sent);
  expect((await disburse.payouts.get(payout_id)).stage).toBe("submitted");

  await hit.decide("different");
  await expect
    .poll(async () => {
      await dueAgain();
      return (await disburse.payouts.get(payout_id)).status;
    })
    .toBe("successful");
  expect(attempts.length).toBeGreaterThan(sent);
});
