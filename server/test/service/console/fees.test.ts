// Fees in the console: two admins change them, a review shows them, and the books of a month contain them.

import { expect, test } from "vitest";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { asFile } from "../../support/import-file.ts";
import { pastOf } from "../../support/past-payouts.ts";
import type { Answer } from "../../support/service.ts";

const service = await closeAfterTests(startBankConsole(), expectBalancedLedger);

const outcomeOf = ({ status, json }: Answer) =>
  status < 300 ? status : [status, json.error[0].code, json.error[0].field];

test("two admins change a fee, and see it in one line", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const id = await service.connect(subaccountId, [subaccountId]);
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const path = `/banks/connections/${id}`;
  const rowOf = async () =>
    (await one.get("/banks")).json.rows.find((row: { id: string }) => row.id === id);
  expect(await rowOf()).toMatchObject({ fee: "none" });
  const change = (fields: object) => one.patch(path, { fields });

  expect(outcomeOf(await change({ fee_percent: "0.00001" }))).toEqual([
    ...[400, "BANK201", "fee_percent"],
  ]);
  expect(outcomeOf(await change({ fee_percent: 0.25 }))).toEqual([400, "BANK201", "fee_percent"]);
  expect(outcomeOf(await change({ fee_fixed: 0 }))).toEqual([400, "BANK201", "fee_fixed"]);
  expect(outcomeOf(await change({ fee_fixed: 0.5 }))).toEqual([400, "BANK201", "fee_fixed"]);
  expect(outcomeOf(await change({ fee_bearer: "bank", fee_fixed: 1 }))).toEqual([
    ...[400, "BANK201", "fee_bearer"],
  ]);
  expect(outcomeOf(await change({ fee_min: 5 }))).toEqual([400, "BANK201", "fee_min"]);
  expect(outcomeOf(await change({ fee_fixed: 1, fee_min: 5, fee_max: 4 }))).toEqual([
    ...[400, "BANK201", "fee_max"],
  ]);

  const asked = await change({ fee_fixed: 30, fee_percent: "0.25", fee_max: 500 });
  const { rows } = (await two.get("/approvals?kind=bank_connection")).json;
  const { request } = rows.find((row: { id: string }) => row.id === asked.json.id);
  const words = "0.30 AUD + 0.25 %, at most 5.00 AUD, on top of the amount";
  expect(request.changes).toEqual([{ field: "fee", before: "none", after: words }]);
  expect(await rowOf()).toMatchObject({ fee: "none" });
  expect(outcomeOf(await one.post(`/banks/requests/${asked.json.id}/approve`))).toEqual([
    ...[403, "CONS402", undefined],
  ]);
  await two.post(`/banks/requests/${asked.json.id}/approve`);
  expect(await rowOf()).toMatchObject({ fee: words });
  expect((await one.get(path)).json).toMatchObject({
    fee_fixed: 30,
    fee_percent: "0.25",
    fee_min: null,
    fee_max: 500,
    fee_bearer: "subaccount",
  });
  const { rows: acts } = await service.db.pool.query(
    "select action, before ->> 'fee' as before, after ->> 'fee' as after from audit_entry where object_id = $1 order by number",
    [asked.json.id],
  );
  expect(acts).toEqual([
    { action: "bank.ask_change", before: "none", after: words },
    { action: "bank.approve_change", before: "none", after: words },
  ]);

  // Other changes keep the fee, and null takes it away.
  const other = await change({ releasers: 1 });
  await two.post(`/banks/requests/${other.json.id}/approve`);
  expect(await rowOf()).toMatchObject({ fee: words, releasers: 1 });
  const away = {
    fee_fixed: null,
    fee_percent: null,
    fee_min: null,
    fee_max: null,
    fee_bearer: null,
  };
  const gone = await change(away);
  await two.post(`/banks/requests/${gone.json.id}/approve`);
  expect(await rowOf()).toMatchObject({ fee: "none" });
});

test("the review of a payout shows fee, sent amount and dates; the payout and its CSV line have them", async () => {
  const payer = await service.newPayer();
  await service.connect(payer.subaccountId, [payer.subaccountId], {
    fee_percent: "1",
    fee_bearer: "receiver",
  });
  const operator = service.enter("operator");
  const payouts = `/s/${payer.subaccountId}/payouts`;
  const input = { ...payer.to, amount: 12_550, currency: "AUD", reference: "F-1" };
  const { json: preview } = await operator.post(`${payouts}/preview`, input);
  expect(preview).toMatchObject({ fee: 126, sent_amount: 12_424, approval: [] });
  expect(preview.process_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const once = "a-payout-with-a-fee";
  const made = await operator.post(payouts, { ...input, once });
  const { json: payout } = await operator.get(`${payouts}/${made.json.payout_id}`);
  const { fee, sent_amount, process_date, expected_arrival } = preview;
  expect(payout).toMatchObject({ fee, sent_amount, process_date, expected_arrival });
  expect(payout.timeline.map(({ title }: { title: string }) => title)).toEqual(
    expect.arrayContaining(["124.24 AUD held for this payout", "1.26 AUD taken as a fee"]),
  );
  const { text } = await operator.get(`${payouts}.csv`);
  const [head = "", line = ""] = text.trim().split("\n");
  expect(head).toMatch(/,fee,sent_amount$/);
  expect(line).toMatch(/,1\.26,124\.24$/);

  const cancelled = await operator.post(`${payouts}/${made.json.payout_id}/cancel`);
  expect(cancelled.json).toMatchObject({ stage: "cancelled" });
  const { json: after } = await operator.get(`${payouts}/${made.json.payout_id}`);
  expect(after.timeline.map(({ title }: { title: string }) => title)).toContain(
    "1.26 AUD fee given back",
  );
});

test("a file of payouts counts the fees to what is missing", async () => {
  const payer = await service.newPayer();
  await service.connect(payer.subaccountId, [payer.subaccountId], { fee_fixed: 100 });
  const { receiver_id, account_id } = payer.to;
  const csv = `receiver_id,account_id,amount,currency,reference\n${["a", "b"]
    .map((reference) => `${receiver_id},${account_id},5000.00,AUD,${reference}`)
    .join("\n")}\n`;
  const operator = service.enter("operator");
  const { json } = await operator.post(
    `/s/${payer.subaccountId}/payouts/import/check`,
    asFile(csv),
  );
  expect(json).toMatchObject({
    problem_count: 0,
    totals: [{ currency: "AUD", amount: 1_000_000, available: 1_000_000, short: 200 }],
  });
});

test("a month contains its fees less those given back, and closes without drift", async () => {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const past = await pastOf(service, caller);
  const september = Date.UTC(2026, 8);
  const october = Date.UTC(2026, 9);
  const day = 86_400_000;
  await past.fund(september, 10_000);
  const paid = await past.make(september + day, 1_000, "AUD", 25);
  await past.move(paid, "submit", september + day);
  await past.move(paid, "settle", september + 2 * day);
  const waiting = await past.make(september + 2 * day, 500, "AUD", 15);
  await past.move(waiting, "cancel", october + day);
  const finance = service.enter("finance");
  const reconcile = async (month: string) =>
    (await finance.get(`/s/${subaccountId}/reconcile?month=${month}&currency=AUD`)).json
      .balances[0];
  expect(await reconcile("2026-09")).toMatchObject({
    funded: 10_000,
    paid: 1_000,
    fees: 40,
    closing: 8_960,
    drift: 0,
    differences: [],
  });
  expect(await reconcile("2026-10")).toMatchObject({
    opening: 8_960,
    fees: -15,
    closing: 8_975,
    drift: 0,
  });
  for (const month of ["2026-09", "2026-10"]) {
    const body = { month, currency: "AUD" };
    expect((await finance.post(`/s/${subaccountId}/reconcile/close`, body)).status).toBe(200);
  }
  const { differences } = await verifyLedger(service.db);
  expect(differences).toEqual([]);
});
