// Files from banks: returns are applied once, whole or not at all, and what fits nothing waits for a user.

import { expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { discardBatch } from "../../../src/banking/files/release.ts";
import { lastDayOf } from "../../../src/banking/readers/inbound-aba.ts";
import { settleDue } from "../../../src/banking/worker/worker.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

async function sent(amounts: number[]) {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const { batchId, ids } = await bank.sendPayouts(payer, connection, amounts);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  return { payer, connection, batchId, ids, date };
}

const counts = { isNew: true, lines: 0, applied: 0, noted: 0, suspended: 0, repeated: 0 };

test("an ABA return before and after settlement gives the money back, with its cause", async () => {
  const { payer, connection, ids, date } = await sent([500, 700, 900]);
  const availableOf = async () =>
    Number(
      (await payer.disburse.balance.get()).find(({ currency }) => currency === "AUD")?.available,
    );
  const before = await availableOf();
  const early = abaReturns(connection, [{ amount: 500, reference: "PO-1", code: "3" }], { date });
  // The file says whose it is, by our account.
  expect(await bank.apply(early)).toEqual({ ...counts, lines: 1, applied: 1 });
  await settleDue(bank, connection, Date.now() + 30 * 86_400_000);
  const late = abaReturns(connection, [{ amount: 700, reference: "po-2" }], { date });
  expect(await bank.apply(late, connection)).toEqual({ ...counts, lines: 1, applied: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned", "settled"]);
  expect(await payer.disburse.payouts.get(ids[0] as string)).toMatchObject({
    status: "failed",
    cause: "The account is closed",
    cause_code: "3",
  });
  expect(await availableOf()).toBe(before + 1_200);
});

test("the same file twice, and overlapping files, change nothing", async () => {
  const { payer, connection, ids, date } = await sent([500, 700]);
  const first = { amount: 500, reference: "PO-1" };
  const text = abaReturns(connection, [first], { date });
  await bank.apply(text);
  expect(await bank.apply(text, connection, { name: "again.txt" })).toMatchObject({
    isNew: false,
    applied: 1,
  });
  const both = abaReturns(connection, [first, { amount: 700, reference: "PO-2" }], { date });
  expect(await bank.apply(both)).toEqual({ ...counts, lines: 2, applied: 1, repeated: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned"]);
  expect(await bank.suspenseOf(connection)).toEqual([]);
});

test("two processes that apply one file at once apply it once", async () => {
  const { connection, date } = await sent([500]);
  const text = abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date });
  const results = await Promise.all([bank.apply(text), bank.apply(text)]);
  expect(results.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  expect(results.map(({ applied }) => applied)).toEqual([1, 1]);
});

test("a second return of one payout goes to suspense, and is booked there", async () => {
  const { payer, connection, ids, date } = await sent([500]);
  await bank.apply(abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date }));
  const again = [{ amount: 500, reference: "PO-1", code: "6" }];
  expect(await bank.apply(abaReturns(connection, again, { date }))).toMatchObject({
    applied: 0,
    suspended: 1,
  });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
  const items = await bank.suspenseOf(connection);
  expect(items).toMatchObject([
    { reason: "already_returned", amount: "500", is_booked: true, payout_id: ids[0] },
  ]);
  const { rows } = await bank.db.pool.query(
    "select debit, credit, amount from ledger_transfer where reference = $1",
    [items[0].id],
  );
  const { rail } = connection;
  expect(rows).toEqual([{ debit: `bank:${rail}`, credit: `returns:${rail}`, amount: "500" }]);
  const ofPayout = await bank.db.pool.query(
    "select debit, credit from ledger_transfer where subaccount_id = $1 and payout_id = $2 order by number",
    [payer.subaccountId, ids[0]],
  );
  expect(ofPayout.rows).toEqual([
    { debit: "available", credit: "held" },
    { debit: "held", credit: `clearing:${rail}` },
    { debit: `clearing:${rail}`, credit: `bank:${rail}` },
    { debit: `bank:${rail}`, credit: "returns" },
    { debit: "returns", credit: "available" },
  ]);
  expect((await verifyLedger(bank.db)).differences).toEqual([]);
});

test("two returns of one payout in one file are one return and one suspense item", async () => {
  const { payer, connection, ids, date } = await sent([500]);
  const line = { amount: 500, reference: "PO-1" };
  const text = abaReturns(connection, [line, { ...line, code: "1" }], { date });
  expect(await bank.apply(text)).toMatchObject({ applied: 1, suspended: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
});

test("a return of a cancelled payout goes to suspense", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const { payout_id } = await payer.disburse.payouts.create({
    ...payer.to,
    amount: 500,
    currency: "AUD",
    reference: "PO-1",
  });
  const batchId = await bank.freeze(connection);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const discarding = { id: batchId, words: undefined, who: "operator:a", atMs: Date.now() };
  await bank.db.transaction((tx) => discardBatch(tx, connection, discarding));
  await payer.disburse.payouts.cancel(payout_id);
  const text = abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date });
  expect(await bank.apply(text)).toMatchObject({ applied: 0, suspended: 1 });
  expect(await bank.suspenseOf(connection)).toMatchObject([
    { reason: "already_failed", payout_id },
  ]);
  expect(await bank.stagesOf(payer, [payout_id])).toEqual(["cancelled"]);
});

test("another amount, reference, account, bank or day fits no payout", async () => {
  const { payer, connection, ids, date } = await sent([500]);
  const other = new Date(Date.parse(date) - 10 * 86_400_000).toISOString().slice(8, 10);
  const line = { amount: 500, reference: "PO-1" };
  const wrong = [
    { ...line, amount: 501 },
    { ...line, reference: "PO-9" },
    { ...line, account: "111111112" },
    { ...line, bsb: "083-048" },
    { ...line, day: other },
  ];
  const text = abaReturns(connection, wrong, { date });
  expect(await bank.apply(text)).toMatchObject({ applied: 0, suspended: 5 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
  const reasons = (await bank.suspenseOf(connection)).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(["no_payout"]));
});

test("a return that fits two payouts is left to a user", async () => {
  const { payer, connection, ids, date } = await sent([500]);
  const second = await bank.sendPayouts(payer, connection, [500]);
  const text = abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date });
  expect(await bank.apply(text)).toMatchObject({ suspended: 1 });
  expect(await bank.suspenseOf(connection)).toMatchObject([{ reason: "several_payouts" }]);
  expect(await bank.stagesOf(payer, [...ids, ...second.ids])).toEqual(["submitted", "submitted"]);
});

test("a payout in a file that is not recorded as sent is not returned", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const payout = { ...payer.to, amount: 500, currency: "AUD", reference: "PO-1" };
  const { payout_id } = await payer.disburse.payouts.create(payout);
  const batchId = await bank.freeze(connection);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  await bank.apply(abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date }));
  expect(await bank.suspenseOf(connection)).toMatchObject([{ reason: "not_sent", payout_id }]);
  expect(await bank.stagesOf(payer, [payout_id])).toEqual(["batched"]);
});

test("a file with broken totals is refused whole, with line and reason", async () => {
  const { payer, connection, ids, date } = await sent([500]);
  const line = { amount: 500, reference: "PO-1" };
  const broken = abaReturns(connection, [line], { date, total: 501 });
  await expect(bank.apply(broken)).rejects.toMatchObject({
    problems: expect.arrayContaining([
      { code: "BANK401", message: expect.stringMatching(/^line 3, column \d+: /) },
    ]),
  });
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
  // Corrected, it is another file.
  expect(await bank.apply(abaReturns(connection, [line], { date }))).toMatchObject({ applied: 1 });
});

test("a file for another connection is refused, or its lines go to suspense", async () => {
  const one = await sent([500]);
  const other = await sent([500]);
  const line = { amount: 500, reference: "PO-1" };
  const text = abaReturns(one.connection, [line], { date: one.date });
  await expect(bank.apply(text, other.connection)).rejects.toThrow("BANK404");
  expect(await bank.stagesOf(one.payer, one.ids)).toEqual(["submitted"]);
  // An account that no connection has.
  const strange = abaReturns(one.connection, [line], { date: one.date, ours: "99999999" });
  await expect(bank.apply(strange)).rejects.toThrow("BANK406");
  expect(await bank.apply(strange, other.connection)).toMatchObject({ suspended: 1, applied: 0 });
  expect(await bank.suspenseOf(other.connection)).toMatchObject([
    { reason: "other_account", is_booked: false },
  ]);
  expect(await bank.stagesOf(other.payer, other.ids)).toEqual(["submitted"]);
});

test("files that are no answer of a bank are refused", async () => {
  const { connection } = await sent([500]);
  await expect(bank.apply("", connection)).rejects.toThrow("BANK402");
  await expect(bank.apply("hello", connection)).rejects.toThrow("BANK402");
  await expect(bank.apply(abaReturns(connection, [], { date: "2026-11-16" }))).rejects.toThrow(
    /BANK40[13]/,
  );
});

test("the day of a return is the last such day up to the date of the file", () => {
  expect(lastDayOf("16", "2026-11-16")).toBe("2026-11-16");
  expect(lastDayOf("17", "2026-11-16")).toBe("2026-10-17");
  expect(lastDayOf("31", "2026-12-01")).toBe("2026-10-31");
  expect(lastDayOf("30", "2026-01-02")).toBe("2025-12-30");
  expect(lastDayOf("00", "2026-01-02")).toBe("");
});
