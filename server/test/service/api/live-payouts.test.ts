// Payouts of live subaccounts without a bank connection: the API refuses them, and the console says so.

import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { ada } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
const caller = await service.newCaller({ mode: "live" });
const { receiver_id } = await caller.disburse.receivers.create(ada());
await service.db.pool.query(
  "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
  [caller.subaccountId],
);
const bank = { account_type: "I", bsb: "062000", account_number: "12345999" } as const;
const { account_id } = await caller.disburse.receiverAccounts.create({ receiver_id, ...bank });
const to = { receiver_id, account_id };

const noBankFor = (currency: string) => ({
  code: "PAYO228",
  message: `No bank is connected for live payouts in ${currency} to accounts in AUS`,
});

test.each(["AUD", "NZD"])("a payout in %s is refused because no bank pays it", async (currency) => {
  const body = { ...to, amount: 100, currency };
  const one = await caller.call("POST", "/api/payout/single", { body });
  expect([one.status, one.json.error]).toEqual([
    400,
    [{ ...noBankFor(currency), field: "currency" }],
  ]);
  const many = await caller.call("POST", "/api/payout/batch", { body: { payouts: [body] } });
  expect([many.status, many.json.error]).toEqual([
    400,
    [{ ...noBankFor(currency), field: "payouts[0].currency" }],
  ]);
});

test("the console reports the missing bank before a payout is created, also from a file", async () => {
  const { get, post } = service.enter("operator");
  const payouts = `/s/${caller.subaccountId}/payouts`;
  expect((await get(`${payouts}/balances`)).json.is_bank_connected).toBe(false);
  const { subaccountId } = await service.newCaller();
  expect((await get(`/s/${subaccountId}/payouts/balances`)).json.is_bank_connected).toBe(true);
  const csv = stringify([{ ...to, amount: "1.00", currency: "AUD" }], { header: true });
  expect((await post(`${payouts}/import/check`, asFile(csv))).json.problems).toMatchObject([
    { row: 2, column: "currency", ...noBankFor("AUD") },
  ]);
});
