// NACHA returns give the money back; notifications of change propose new bank details.

import { expect, test } from "vitest";
import { nextBankingDay } from "../../../../packages/bank-formats/src/calendars/banking-days.ts";
import { checkBankFile } from "../../../../packages/bank-formats/src/check.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { type NachaReport, nachaReports, nachaSettings } from "../../support/inbound-nacha-file.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { camt053 } from "../../support/statement-messages.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const account = { country: "USA", bsb: "", bank_code: "121000248", account_number: "000123456789" };
let companies = 1_000_000_000;

async function sent(amounts: number[]) {
  const payer = await bank.newPayer({ account, currency: "USD" });
  // Every connection has an id and an account of its own at the bank, so that files say whose they are.
  companies += 1;
  const own = { company_id: String(companies), account_number: String(companies) };
  const settings = { ...nachaSettings, ...own };
  const connection = await bank.connect(payer.subaccountId, { format: "nacha", settings });
  const { batchId, ids } = await bank.sendPayouts(payer, connection, amounts);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const file = (reports: NachaReport[], options?: Parameters<typeof nachaReports>[2]) =>
    nachaReports(date, reports, options).replaceAll(nachaSettings.company_id, settings.company_id);
  return { payer, connection, batchId, ids, date, file };
}

const report = (place: number, amount: number): NachaReport => ({
  code: "R03",
  place,
  account: account.account_number,
  reference: `PO-${place}`,
  amount,
});

test("a return is found by account, amount, reference and trace number", async () => {
  const { payer, ids, file } = await sent([500, 700]);
  const text = file([report(2, 700)]);
  expect(checkBankFile(Buffer.from(text)).problems).toEqual([]);
  expect(await bank.apply(text)).toMatchObject({ lines: 1, applied: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted", "returned"]);
  expect(await payer.disburse.payouts.get(ids[1] as string)).toMatchObject({
    cause: "There is no account with this number, or it is not the receiver's",
    cause_code: "R03",
  });
  // A later file that repeats it.
  expect(await bank.apply(file([report(2, 700), report(1, 500)]))).toMatchObject({
    applied: 1,
    repeated: 1,
  });
});

test("an effective date that can't be is ignored", async () => {
  const { payer, ids, file } = await sent([500]);
  const text = file([report(1, 500)]).replace(/^(5.{68})\d{6}/m, "$1000101");
  expect(await bank.apply(text)).toMatchObject({ applied: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
});

test("a dishonoured return waits for a user", async () => {
  const { payer, connection, ids, file } = await sent([500]);
  await bank.apply(file([{ ...report(1, 500), code: "R61" }]), connection);
  expect(await bank.suspenseOf(connection)).toMatchObject([
    { kind: "other", reason: "needs_decision", is_booked: false, payout_id: ids[0] },
  ]);
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
});

test("a wrong entry hash refuses the whole file", async () => {
  const { payer, ids, file } = await sent([500]);
  const broken = file([report(1, 500)], { entryHash: "0000000001" });
  await expect(bank.apply(broken)).rejects.toThrow("BANK401");
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
});

const correction = { ...report(1, 0), code: "C01", corrected: "000123456780" };

test("a notification of change proposes new bank details, and the payout stays in progress", async () => {
  const { payer, ids, file } = await sent([500]);
  expect(await bank.apply(file([correction]))).toMatchObject({ noted: 1, suspended: 0 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
  const { rows } = await bank.db.pool.query(
    `select account_id, account_number_tail, status, made_by from bank_details_change where subaccount_id = $1`,
    [payer.subaccountId],
  );
  expect(rows).toMatchObject([
    {
      account_id: payer.to.account_id,
      account_number_tail: "6780",
      status: "waiting",
      made_by: "operator:a",
    },
  ]);
  const lines = await bank.db.pool.query(
    "select detail from bank_inbound_line where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(lines.rows[0].detail).toMatch(
    /^proposed as new bank details; to be corrected until \d{4}-\d\d-\d\d$/,
  );
});

test("only a correction that the service fetched from the bank is made by the bank", async () => {
  const { payer, connection, file } = await sent([500]);
  await bank.apply(file([correction]), connection, { isFetched: true });
  const { rows } = await bank.db.pool.query(
    "select made_by from bank_details_change where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ made_by: `rail:${connection.rail}` }]);
});

test("a correction that can't be proposed waits for a user", async () => {
  const { connection, file } = await sent([500]);
  const name = { ...report(1, 0), code: "C04", corrected: "ADA KING" };
  const unknown = { ...report(7, 0), code: "C01", corrected: "000123456780" };
  const routing = { ...report(1, 0), code: "C02", corrected: "121000249" };
  await bank.apply(file([name, unknown, routing]));
  expect((await bank.suspenseOf(connection)).map(({ reason }) => reason)).toEqual([
    "details_not_valid",
    "no_payout",
    "details_not_valid",
  ]);
});

test("the debit of a file is matched by itself on its effective date, unless another debit fits as well", async () => {
  const debited = async (amounts: number[]) => {
    const { connection, batchId, date } = await sent([1_500, 2_000]);
    const { account_number } = connection.settings as { account_number: string };
    const day = nextBankingDay(connection.calendar, date);
    const entries = amounts.map((amount, index) => ({ amount, day, text: `ACH ${index}` }));
    const of = { account: account_number, currency: "USD", from: day, to: day, opening: 0 };
    await bank.apply(camt053({ ...of, entries }), connection);
    const { rows } = await bank.db.pool.query(
      "select rule, batch_id = $2 as is_batch from bank_match where connection_id = $1",
      [connection.id, batchId],
    );
    return rows;
  };
  expect(await debited([-3_500])).toEqual([{ rule: "batch_total", is_batch: true }]);
  expect(await debited([-3_500, -3_500])).toEqual([]);
});
