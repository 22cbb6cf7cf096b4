// Credits on statements: a deposit reference funds a subaccount once, and other money waits in suspense.

import { expect, test } from "vitest";
import {
  fundBySuspense,
  giveSuspenseToCompany,
  undoSuspense,
} from "../../../src/banking/answers/suspense.ts";
import { fundingCandidatesOf } from "../../../src/banking/answers/suspense-candidates.ts";
import type { BankConnection } from "../../../src/banking/connections/connection.ts";
import { disableConnection } from "../../../src/banking/connections/save-connection.ts";
import { undoLine } from "../../../src/banking/statements/decide.ts";
import type { Tx } from "../../../src/platform/db/connect.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { camt054 } from "../../support/inbound-messages.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { camt053 } from "../../support/statement-messages.ts";
import { decisionOf, newStatementTest } from "../../support/statements-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const deciding = (id: string) => ({ id, reason: "seen", who: "operator:a", atMs: Date.now() });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ message }: Error) => message,
  );
const decide = <T>(work: (tx: Tx) => Promise<T>) => bank.db.transaction(work);

test("a deposit funds once where two connections pay from one account, also if one is disabled", async () => {
  const statements = await newStatementTest(bank);
  const { payer, connection, account } = statements;
  const share = (name: string, changes: object) =>
    bank.connect(payer.subaccountId, { name, settings: connection.settings, ...changes });
  const second = await share("to New Zealand", { countries: ["NZL"] });
  const reference = await statements.deposit();
  const before = await statements.available();
  const deposit = { amount: 50_000, day: "2026-03-02", ref: "D1", text: reference };
  const days = (from: string, to: string, opening = 0) =>
    camt053({ account, from, to, opening, entries: [{ ...deposit, day: to }] });
  await bank.apply(days("2026-03-02", "2026-03-02"), connection);
  expect(await statements.available()).toBe(before + 50_000);
  const again = (to: BankConnection, text = days("2026-03-01", "2026-03-02", 1)) =>
    refusalOf(bank.apply(text, to));
  expect(await again(second)).toBe("BANK493");
  await decide((tx) => disableConnection(tx, connection.id, Date.now()));
  const third = await share("its successor", {});
  expect(await again(third)).toBe("BANK493");
  expect(await statements.available()).toBe(before + 50_000);
  // The days after that are new, and then no longer for the others.
  await bank.apply(days("2026-03-03", "2026-03-03", 50_000), third);
  expect(await statements.available()).toBe(before + 100_000);
  expect(await again(second, days("2026-03-03", "2026-03-04", 1))).toBe("BANK493");

  // The same number at another branch is another account, and so is one of test mode.
  const elsewhere = { ...connection.settings, bsb: "083047" };
  const other = await share("elsewhere", { countries: ["USA"], settings: elsewhere });
  await bank.apply(days("2026-03-02", "2026-03-02", 7), other);
  expect(await statements.available()).toBe(before + 150_000);
});

test("a credit with a deposit reference funds its subaccount once, however often the bank reports it", async () => {
  const statements = await newStatementTest(bank);
  const reference = await statements.deposit();
  const before = await statements.available();
  const spaced = `${reference.slice(0, 5).toLowerCase()} ${reference.slice(5)}`;
  const entry = { amount: 50_000, day: "2026-03-02", ref: "D1", text: `Invoice ${spaced} thanks` };
  const written = { day: "2026-03-02", entries: [entry] };
  const text = statements.write(written);
  expect(await bank.apply(text, statements.connection)).toMatchObject({ applied: 1 });
  expect(await statements.available()).toBe(before + 50_000);
  expect(await bank.apply(text, statements.connection)).toMatchObject({ isNew: false });
  // The same statement in a file with other bytes, and a longer one that holds it.
  const repeated = camt053({
    account: statements.account,
    from: "2026-03-02",
    to: "2026-03-02",
    opening: 0,
    entries: [entry],
  });
  expect(await bank.apply(repeated, statements.connection)).toMatchObject({
    repeated: 1,
    applied: 0,
  });
  const longer = camt053({
    account: statements.account,
    from: "2026-03-01",
    to: "2026-03-03",
    opening: 0,
    entries: [entry, { amount: 1, day: "2026-03-03", ref: "D2", text: reference }],
  });
  expect(await bank.apply(longer, statements.connection)).toMatchObject({
    repeated: 1,
    applied: 1,
  });
  expect(await statements.available()).toBe(before + 50_001);
});

test("two equal deposits on two statements of one day that the bank numbers one after another are both booked", async () => {
  const statements = await newStatementTest(bank);
  const text = await statements.deposit();
  const before = await statements.available();
  const entries = [{ amount: 900, day: "2026-03-02", text }];
  await statements.apply({ day: "2026-03-02", entries, sequence: 7 });
  await statements.apply({ day: "2026-03-02", entries, sequence: 8 });
  expect(await statements.available()).toBe(before + 1_800);
});

test("a credit that nothing explains waits in suspense; a user gives it to a subaccount or to the company, and can undo that", async () => {
  const statements = await newStatementTest(bank);
  const reference = await statements.deposit();
  // Two characters are swapped: the check finds it.
  const swapped = [...reference];
  const at = swapped.findIndex((one, index) => one !== swapped[index + 1]);
  [swapped[at], swapped[at + 1]] = [swapped[at + 1] as string, swapped[at] as string];
  const before = await statements.available();
  await statements.apply({
    day: "2026-03-02",
    entries: [{ amount: 8_000, day: "2026-03-02", text: swapped.join("") }],
  });
  const [item] = await bank.suspenseOf(statements.connection);
  expect(item).toMatchObject({ kind: "credit", reason: "unknown_credit", is_booked: true });
  expect(await statements.available()).toBe(before);
  const { subaccountId } = statements.payer;
  expect(await fundingCandidatesOf(bank.db, item)).toMatchObject([
    { subaccountId, reasons: ["its deposit reference differs in one place"] },
  ]);
  await decide((tx) => fundBySuspense(tx, subaccountId, deciding(item.id)));
  expect(await statements.available()).toBe(before + 8_000);
  await decide((tx) => undoSuspense(tx, deciding(item.id)));
  expect(await statements.available()).toBe(before);
  await decide((tx) => giveSuspenseToCompany(tx, deciding(item.id)));
  await decide((tx) => undoSuspense(tx, deciding(item.id)));
  await decide((tx) => fundBySuspense(tx, subaccountId, deciding(item.id)));
  expect(await statements.available()).toBe(before + 8_000);
  const { inTransit, unexplained, books, bank: balance } = await statements.position();
  expect({ inTransit, unexplained, books, balance }).toEqual({
    inTransit: [],
    unexplained: 0n,
    books: 8_000n,
    balance: 8_000n,
  });
});

test("money in suspense that a notification told of is booked once when the statement comes", async () => {
  const statements = await newStatementTest(bank);
  const [day, account] = ["2026-03-02", statements.account];
  const lost = { amount: "7.00", creditor: "1", remittance: "LOST 1", code: "AC01" };
  expect(await bank.apply(camt054(account, day, [lost]))).toMatchObject({ suspended: 1 });
  const entry = { amount: 700, day, text: "LOST 1", returned: "AC01", ref: "L1" };
  expect(await statements.apply({ day, entries: [entry] })).toMatchObject({ suspended: 1 });
  const items = await bank.suspenseOf(statements.connection);
  expect(items.map(({ status }) => status)).toEqual(["merged", "open"]);
  const { inTransit, books } = await statements.position();
  expect({ inTransit, books }).toEqual({ inTransit: [], books: 700n });
});

test("a payer who funded a subaccount before is a reason to suggest it", async () => {
  const statements = await newStatementTest(bank);
  const day = "2026-03-02";
  const paid = { amount: 500, day, party: "Acme Treasury" };
  await statements.apply({ day, entries: [{ ...paid, text: await statements.deposit() }] });
  await statements.apply({ day, entries: [{ ...paid, text: "no reference" }] });
  const [item] = await bank.suspenseOf(statements.connection);
  expect(await fundingCandidatesOf(bank.db, item)).toMatchObject([
    { subaccountId: statements.payer.subaccountId, reasons: ["the same payer funded it before"] },
  ]);
});

test("a deposit reference of a subaccount that the connection does not serve funds nothing", async () => {
  const [statements, other] = [await newStatementTest(bank), await newStatementTest(bank)];
  const text = await other.deposit();
  await statements.apply({ day: "2026-03-02", entries: [{ amount: 10, day: "2026-03-02", text }] });
  expect(await bank.suspenseOf(statements.connection)).toHaveLength(1);
});

test("a funding that was wrong is undone by a new entry, and the money waits in suspense", async () => {
  const statements = await newStatementTest(bank);
  const before = await statements.available();
  const text = await statements.deposit();
  await statements.apply({
    day: "2026-03-02",
    entries: [{ amount: 500, day: "2026-03-02", text }],
  });
  const [line] = await statements.lines();
  await decide((tx) => undoLine(tx, line?.id as string, decisionOf([])));
  expect(await statements.available()).toBe(before);
  expect(await bank.suspenseOf(statements.connection)).toMatchObject([{ status: "open" }]);
  const { inTransit, unexplained } = await statements.position();
  expect({ inTransit, unexplained }).toEqual({ inTransit: [], unexplained: 0n });
});
