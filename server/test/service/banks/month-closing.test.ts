// A month of a bank connection closes only where the books meet the bank, and its document is kept.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { closeBankMonth, takeOpeningBalance } from "../../../src/banking/statements/close-month.ts";
import { giveLinesToCompany } from "../../../src/banking/statements/decide.ts";
import { listExceptions } from "../../../src/banking/statements/exceptions.ts";
import { monthEndOf } from "../../../src/banking/statements/position.ts";
import { findClosingDocument } from "../../../src/banking/statements/position-queries.ts";
import { settleDue } from "../../../src/banking/worker/worker.ts";
import { fund } from "../../../src/money/ledger/fund.ts";
import { reverseFunding } from "../../../src/money/ledger/reverse.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { newStatementTest, type StatementTest } from "../../support/statements-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const dayMs = 86_400_000;
/** Payouts are made now, so this month is the one that closes. */
const month = new Date().toISOString().slice(0, 7);
const lastDay = monthEndOf(month);
const nextMonth = new Date(Date.parse(lastDay) + dayMs).toISOString().slice(0, 7);
const overMs = Date.parse(lastDay) + dayMs + 7_200_000;

const close = ({ connection }: StatementTest, { of = month, atMs = overMs } = {}) =>
  bank.db.transaction((tx) =>
    closeBankMonth(tx, { connection, month: of, who: "operator:f", atMs }),
  );

test("a month closes when every line is explained; what is in transit is listed, and gone in the next month", async () => {
  const statements = await newStatementTest(bank);
  const text = await statements.deposit();
  const { batchId } = await statements.send([3_000, 2_000]);
  const day = `${month}-01`;
  await expect(close(statements, { atMs: Date.parse(lastDay) })).rejects.toThrow("BANK481");
  await expect(close(statements)).rejects.toThrow("BANK483");
  await statements.apply({
    day,
    to: lastDay,
    entries: [
      { amount: 10_000, day, text, ref: "D" },
      { amount: -5_000, day, messageId: batchId.replaceAll("-", ""), ref: "B" },
      { amount: -100, day, text: "Account fee", ref: "F" },
    ],
  });
  await expect(close(statements)).rejects.toThrow("BANK485");
  const fee = (await statements.lines()).find(({ status }) => status === "open");
  const decision = {
    lineIds: [fee?.id as string],
    reason: "fee",
    who: "operator:f",
    atMs: Date.now(),
  };
  await bank.db.transaction((tx) => giveLinesToCompany(tx, decision));

  const closed = await close(statements);
  // The bank has debited the file; the books count its payouts as paid some days later.
  expect(closed).toMatchObject({ books: "9900", bank: "4900", in_transit: "5000" });
  const documents = await findClosingDocument(bank.db, statements.connection.id, month);
  const sha256 = (bytes: Buffer | undefined) =>
    createHash("sha256")
      .update(bytes ?? "")
      .digest("hex");
  expect(sha256(documents?.csv)).toBe(closed.csv_sha256);
  expect(sha256(documents?.pdf)).toBe(closed.pdf_sha256);
  const csv = documents?.csv.toString() ?? "";
  expect(csv).toContain("Balance by the books,99.00,AUD");
  expect(csv).toContain("Closed by,operator:f");
  expect(csv).toContain(`batch:${batchId},50.00`);
  expect(documents?.pdf.subarray(0, 5).toString()).toBe("%PDF-");
  await expect(close(statements)).rejects.toThrow("BANK482");

  await settleDue(bank, statements.connection, overMs + 5 * dayMs);
  const end = monthEndOf(nextMonth);
  await statements.apply({ day: end, entries: [] });
  const { inTransit, books, bank: balance } = await statements.position(end);
  expect({ inTransit, books, balance }).toEqual({ inTransit: [], books: 4_900n, balance: 4_900n });
  const next = await close(statements, { of: nextMonth, atMs: Date.parse(end) + 2 * dayMs });
  expect(next).toMatchObject({ books: "4900", in_transit: "0" });
});

test("the balance before the first statement is taken into the books before a month closes", async () => {
  const statements = await newStatementTest(bank);
  await statements.apply({ day: lastDay, opening: 70_000, entries: [] });
  await expect(close(statements)).rejects.toThrow("BANK486");
  const take = () =>
    bank.db.transaction((tx) =>
      takeOpeningBalance(tx, {
        connection: statements.connection,
        who: "operator:f",
        atMs: overMs - dayMs,
      }),
    );
  expect(await take()).toBe(70_000n);
  await expect(take()).rejects.toThrow("BANK488");
  expect(await close(statements)).toMatchObject({ books: "70000", bank: "70000", in_transit: "0" });
});

test("a month does not close while a statement is missing, or while one does not add up", async () => {
  const statements = await newStatementTest(bank);
  await statements.apply({ day: `${month}-02`, entries: [] });
  await statements.apply({ day: lastDay, opening: 500, entries: [] });
  await expect(close(statements)).rejects.toThrow("BANK484");
  const other = await newStatementTest(bank);
  await other.apply({ day: lastDay, closing: 25n, entries: [] });
  await expect(close(other)).rejects.toThrow("BANK487");
});

test("a funding that no statement shows blocks the month when it is overdue, until it is reversed", async () => {
  const statements = await newStatementTest(bank);
  const { connection, payer } = statements;
  const transferId = await bank.db.transaction((tx) =>
    fund(tx, {
      subaccountId: payer.subaccountId,
      currency: "AUD",
      amount: 6_000_000n,
      reference: "by hand",
      who: "operator:f",
      atMs: Date.now(),
      rail: connection.rail,
    }),
  );
  const exceptions = async (nowMs = overMs) =>
    (await listExceptions(bank.db, connection, nowMs)).map(({ kind, item }) => [kind, item]);
  await statements.apply({ day: new Date().toISOString().slice(0, 10), entries: [] });
  // Today it is only expected.
  expect(await exceptions(Date.now())).toEqual([]);
  const later = new Date(overMs + 20 * dayMs).toISOString().slice(0, 10);
  await statements.apply({ day: lastDay, entries: [] });
  await statements.apply({ day: later, entries: [] });
  expect(await exceptions()).toEqual([["transit", `transfer:${transferId}`]]);
  const atMs = overMs + 21 * dayMs;
  await expect(close(statements, { atMs })).rejects.toThrow("BANK492");
  const reversal = { subaccountId: payer.subaccountId, who: "operator:f", atMs: Date.now() };
  await reverseFunding(bank.db, { ...reversal, transferId, reason: "it never came" });
  expect(await exceptions()).toEqual([]);
  expect(await close(statements, { atMs })).toMatchObject({ books: "0", in_transit: "0" });
});

test("a file that the bank never debits blocks the month when it is overdue", async () => {
  const statements = await newStatementTest(bank);
  await statements.send([1_000]);
  await statements.apply({ day: `${month}-01`, to: lastDay, entries: [] });
  const later = new Date(overMs + 20 * dayMs).toISOString().slice(0, 10);
  await statements.apply({ day: later, entries: [] });
  await expect(close(statements, { atMs: overMs + 21 * dayMs })).rejects.toThrow("BANK492");
});

test("an opening balance is not in transit: nothing explains it until a user takes it, and an earlier statement changes it", async () => {
  const statements = await newStatementTest(bank);
  const { connection } = statements;
  await statements.apply({ day: lastDay, opening: 70_000, entries: [] });
  const kinds = async () =>
    (await listExceptions(bank.db, connection, overMs)).map(({ kind }) => kind);
  expect(await statements.position()).toMatchObject({ inTransit: [], unexplained: -70_000n });
  expect(await kinds()).toEqual(["opening"]);
  const take = () =>
    bank.db.transaction((tx) => takeOpeningBalance(tx, { connection, who: "o", atMs: overMs }));
  expect(await take()).toBe(70_000n);
  expect(await kinds()).toEqual([]);
  // What the balance was made of: the statement of the day before.
  const [before, text] = [`${month}-01`, await statements.deposit()];
  const entries = [{ amount: 20_000, day: before, text }];
  await statements.apply({ day: before, opening: 50_000, entries });
  expect((await statements.position()).unexplained).toBe(20_000n);
  expect(await take()).toBe(-20_000n);
  expect(await statements.position()).toMatchObject({ books: 70_000n, unexplained: 0n });
});
