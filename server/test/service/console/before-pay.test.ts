// What a user reads before paying: similar payouts of 30 days, the balance after, and the account's past.

import { expect, test } from "vitest";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 20 }));

type Preview = {
  balance_after: number;
  similar: { id: string; why: string; receiver_name: string; stage: string }[];
  account: { added_at: number; added_by: string; changed_at: number | null; changed_by: string };
};

async function newPayer() {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const operator = service.enter("operator");
  const { receiver_id, account_id } = await newPayee(disburse);
  const to = { receiver_id, account_id, currency: "AUD" };
  const preview = async (payout: object): Promise<Preview> =>
    (await operator.post(`/s/${subaccountId}/payouts/preview`, { ...to, ...payout })).json;
  return { disburse, subaccountId, operator, to, preview };
}

test("the same amount, the same and nearly the same reference are shown, newest first", async () => {
  const { disburse, to, preview } = await newPayer();
  const other = await newPayee(disburse);
  const pay = async (payout: { amount: number; reference: string }, at: object = to) =>
    (await disburse.payouts.create({ ...to, ...at, ...payout })).payout_id;
  const near = await pay({ amount: 700, reference: "TWO TABS" });
  const amount = await pay({ amount: 500, reference: "INV-1" });
  const elsewhere = await pay({ amount: 900, reference: "TWO-TABS" }, other);
  await pay({ amount: 800, reference: "INV-2" });
  const { similar, balance_after } = await preview({ amount: 500, reference: "TWO-TABS" });
  expect(similar.map(({ id, why }) => [id, why])).toEqual([
    [elsewhere, "reference"],
    [amount, "amount"],
    [near, "near_reference"],
  ]);
  expect(balance_after).toBe(1_000_000 - 700 - 500 - 900 - 800 - 500);
});

test("payouts from more than 30 days ago, and of other subaccounts, are not shown", async () => {
  const { disburse, subaccountId, to, preview } = await newPayer();
  const other = await newPayer();
  await other.disburse.payouts.create({ ...other.to, amount: 500, reference: "RENT" });
  const { payout_id } = await disburse.payouts.create({ ...to, amount: 700, reference: "RENT" });
  /** The same payout once more, as if it had been made then. */
  const copyAt = async (daysAgo: number) => {
    const id = firstIdOf(Date.now() - daysAgo * 24 * 3_600_000);
    await service.db.pool.query(
      `insert into payout select (jsonb_populate_record(null::payout, to_jsonb(p) || jsonb_build_object('id', $3::uuid))).*
       from payout p where subaccount_id = $1 and id = $2`,
      [subaccountId, payout_id, id],
    );
    return id;
  };
  await copyAt(31);
  const recent = await copyAt(29);
  const { similar } = await preview({ amount: 500, reference: "RENT" });
  expect(similar.map(({ id }) => id)).toEqual([payout_id, recent]);
});

test("the account names who added and changed it, and when it was last paid", async () => {
  const { disburse, operator, subaccountId, to, preview } = await newPayer();
  const payout = { amount: 500, reference: newId() };
  expect((await preview(payout)).account).toMatchObject({ changed_at: null, last_paid_at: null });
  const { payout_id } = await disburse.payouts.create({ ...to, ...payout });
  await expect.poll(async () => (await disburse.payouts.get(payout_id)).status).toBe("successful");
  const path = `/s/${subaccountId}`;
  await operator.patch(`${path}/accounts/${to.account_id}`, { account_number: "98765888" });
  const [waiting] = (await operator.get(`/approvals?subaccount_id=${subaccountId}`)).json.rows;
  await service.enter("approver").post(`${path}/bank-changes/${waiting.id}/approve`);
  const { account } = await preview({ ...payout, reference: newId() });
  expect(account).toMatchObject({
    added_by: expect.stringContaining("API key"),
    changed_by: operator.person.email,
    changed_at: expect.any(Number),
    last_paid_at: expect.any(Number),
  });
});
