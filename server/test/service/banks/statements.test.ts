// Bank statements: each line is kept once, matched where it can be, and the books meet the bank.

import { expect, test } from "vitest";
import { internalSubaccountIds } from "../../../src/banking/answers/suspend.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import {
  giveLinesToCompany,
  matchLines,
  undoLine,
} from "../../../src/banking/statements/decide.ts";
import { listExceptions } from "../../../src/banking/statements/exceptions.ts";
import { statementRules } from "../../../src/banking/statements/rules.ts";
import { suggestFor } from "../../../src/banking/statements/suggest.ts";
import type { Tx } from "../../../src/platform/db/connect.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { camt053 } from "../../support/statement-messages.ts";
import {
  decisionOf,
  newStatementTest,
  type StatementTest,
} from "../../support/statements-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const decide = <T>(work: (tx: Tx) => Promise<T>) => bank.db.transaction(work);
const dayOf = async (batchId: string) =>
  (await findBatch(bank.db, batchId))?.process_date as string;
const plain = (id: string) => id.replaceAll("-", "");

/** What a line was matched by. */
const rulesOf = async (statements: StatementTest) =>
  (await statements.lines()).map(({ status, matches }) => [status, ...matches.map((m) => m.rule)]);

test("one debit for a whole file is matched with its bank batch, by the file's id", async () => {
  const statements = await newStatementTest(bank);
  const { batchId } = await statements.send([1_000, 2_500]);
  const day = await dayOf(batchId);
  const entries = [{ amount: -3_500, day, ref: "R1", messageId: plain(batchId) }];
  expect(await statements.apply({ day, entries })).toMatchObject({ lines: 1, applied: 1 });
  const [line] = await statements.lines();
  expect(line).toMatchObject({
    status: "matched",
    amount: "-3500",
    matches: [{ kind: "batch", rule: "batch_reference", batch_id: batchId }],
  });
});

test("payments that are booked singly are matched with their payouts, by our reference", async () => {
  const statements = await newStatementTest(bank);
  const { batchId, ids } = await statements.send([700, 900]);
  const day = await dayOf(batchId);
  const amounts = [-700, -900];
  const entries = ids.map((id, index) => ({
    amount: amounts[index] as number,
    day,
    endToEndId: plain(id),
  }));
  await statements.apply({ day, entries });
  const lines = await statements.lines();
  expect(lines.map(({ matches }) => matches[0]?.payout_id)).toEqual(ids);
  expect(await rulesOf(statements)).toEqual([
    ["matched", "payout_reference"],
    ["matched", "payout_reference"],
  ]);
  // The bank lists one of them again on the same day: only a user can say whether it is another debit.
  await statements.apply({ day, entries: [{ ...entries[0], amount: -700, day, ref: "again" }] });
  expect((await rulesOf(statements)).at(-1)).toEqual(["doubtful"]);
});

test("without a reference, a debit is matched where exactly one file or payout fits, and no other line does", async () => {
  const statements = await newStatementTest(bank);
  const first = await statements.send([4_000]);
  const second = await statements.send([5_000]);
  const day = await dayOf(first.batchId);
  const partyAccount = "111111111";
  await statements.apply({
    day,
    entries: [
      { amount: -4_000, day, text: "PAYMENT FILE" },
      { amount: -5_000, day, text: "PAYMENT FILE" },
      { amount: -5_000, day, text: "ANOTHER" },
    ],
  });
  // Two lines fit the second file, so neither is known to be it.
  expect(await rulesOf(statements)).toEqual([["matched", "batch_total"], ["open"], ["open"]]);
  const third = await statements.send([6_000, 7_000]);
  await statements.apply({
    day: await dayOf(third.batchId),
    entries: [
      { amount: -7_000, day: await dayOf(third.batchId), partyAccount, text: "swapped 123" },
    ],
  });
  const last = (await statements.lines()).at(-1);
  expect(last?.matches).toMatchObject([{ rule: "payout_account", payout_id: third.ids[1] }]);
  expect(second.ids).toHaveLength(1);
});

test("amount and day alone match nothing: the account has to fit as well", async () => {
  const statements = await newStatementTest(bank);
  const { batchId } = await statements.send([6_000, 7_000]);
  const day = await dayOf(batchId);
  await statements.apply({ day, entries: [{ amount: -7_000, day, partyAccount: "999999999" }] });
  expect(await rulesOf(statements)).toEqual([["open"]]);
  const [line] = await statements.lines();
  const suggestions = await suggestFor(bank.db, line as never);
  expect(suggestions[0]).toMatchObject({ kind: "payout", rule: "similar" });
});

test("a return on a statement returns the payout once, and its line is matched", async () => {
  const statements = await newStatementTest(bank);
  const { batchId, ids } = await statements.send([1_200]);
  const day = await dayOf(batchId);
  const id = ids[0] as string;
  const entries = [
    { amount: -1_200, day, messageId: plain(batchId) },
    { amount: 1_200, day, endToEndId: plain(id), returned: "AC04", ref: "RET1" },
  ];
  const before = await statements.available();
  await statements.apply({ day, entries });
  expect(await bank.stagesOf(statements.payer, ids)).toEqual(["returned"]);
  expect(await statements.available()).toBe(before + 1_200);
  expect(await rulesOf(statements)).toEqual([
    ["matched", "batch_reference"],
    ["matched", "return_reference"],
  ]);
  expect((await statements.position()).inTransit).toEqual([]);
});

test("a bank charge is suggested, booked as the company's when a user confirms it, and can be undone", async () => {
  const statements = await newStatementTest(bank);
  const entry = { amount: -1_500, day: "2026-03-02", text: "Monthly fee", code: "ACMT/MDOP/CHRG" };
  await statements.apply({ day: "2026-03-02", entries: [entry] });
  const [line] = await statements.lines();
  const id = line?.id as string;
  expect(await suggestFor(bank.db, line as never)).toMatchObject([
    { rule: "bank_charge", kind: "company" },
  ]);
  expect((await statements.position()).inTransit).toMatchObject([{ amount: 1_500n }]);
  await decide((tx) => giveLinesToCompany(tx, decisionOf([id])));
  expect((await statements.position()).inTransit).toEqual([]);
  const company = async () => {
    const { rows } = await bank.db.pool.query(
      "select company from ledger_balance where subaccount_id = $1 and currency = 'AUD'",
      [internalSubaccountIds.live],
    );
    return Number(rows[0]?.company);
  };
  const charged = await company();
  await expect(decide((tx) => giveLinesToCompany(tx, decisionOf([id])))).rejects.toThrow("BANK472");
  await decide((tx) => undoLine(tx, id, decisionOf([])));
  expect(await company()).toBe(charged + 1_500);
  expect(await rulesOf(statements)).toEqual([["open"]]);
  await expect(decide((tx) => undoLine(tx, id, decisionOf([])))).rejects.toThrow("BANK476");
});

test("several lines may pay one file, and one line several files", async () => {
  const statements = await newStatementTest(bank);
  const first = await statements.send([1_000, 2_000]);
  const second = await statements.send([3_000]);
  const third = await statements.send([4_000]);
  const day = "2026-03-02";
  await statements.apply({
    day,
    entries: [
      { amount: -1_400, day, text: "A" },
      { amount: -1_600, day, text: "B" },
      { amount: -7_000, day, text: "C" },
    ],
  });
  const [a, b, c] = (await statements.lines()).map(({ id }) => id) as [string, string, string];
  const batches = (...batchIds: string[]) => ({ payoutIds: [], batchIds });
  await expect(
    decide((tx) => matchLines(tx, batches(first.batchId), decisionOf([a]))),
  ).rejects.toThrow("BANK474");
  await decide((tx) => matchLines(tx, batches(first.batchId), decisionOf([a, b])));
  await decide((tx) => matchLines(tx, batches(second.batchId, third.batchId), decisionOf([c])));
  expect(
    (await statements.lines()).map(({ matches }) => matches.map((m) => Number(m.amount))),
  ).toEqual([[-1_400], [-1_600], [-3_000, -4_000]]);
  await expect(
    decide((tx) => matchLines(tx, batches(first.batchId), decisionOf([c]))),
  ).rejects.toThrow("BANK472");
  // What was matched together is undone together.
  await decide((tx) => undoLine(tx, a, decisionOf([])));
  expect((await statements.lines()).map(({ status }) => status)).toEqual([
    "open",
    "open",
    "matched",
  ]);
});

test("a payout that is given beside its file is paid once", async () => {
  const statements = await newStatementTest(bank);
  const { batchId, ids } = await statements.send([1_000, 2_000]);
  const day = "2026-03-02";
  await statements.apply({
    day,
    entries: [
      { amount: -4_000, day, text: "A" },
      { amount: -3_000, day, text: "B" },
    ],
  });
  const [more, exact] = (await statements.lines()).map(({ id }) => id) as [string, string];
  const targets = { payoutIds: ids.slice(0, 1), batchIds: [batchId] };
  const match = (id: string) => decide((tx) => matchLines(tx, targets, decisionOf([id])));
  await expect(match(more)).rejects.toThrow("BANK474");
  await match(exact);
  const matched = (await statements.lines())[1]?.matches.map(({ kind, amount }) => [kind, amount]);
  expect(matched).toEqual([
    ["payout", "-1000"],
    ["batch", "-2000"],
  ]);
});

test("when two users match the same line, one wins", async () => {
  const statements = await newStatementTest(bank);
  const { batchId, ids } = await statements.send([1_000, 1_000]);
  const day = "2026-03-02";
  await statements.apply({ day, entries: [{ amount: -1_000, day, text: "A" }] });
  const [line] = await statements.lines();
  const outcomes = await Promise.allSettled(
    ids.map((id) =>
      decide((tx) =>
        matchLines(tx, { payoutIds: [id], batchIds: [] }, decisionOf([line?.id as string])),
      ),
    ),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await statements.lines())[0]?.matches).toHaveLength(1);
  expect(batchId).not.toBe("");
});

test("a missing statement is an exception until it comes; nothing is booked twice when it does", async () => {
  const statements = await newStatementTest(bank);
  const text = await statements.deposit();
  const before = await statements.available();
  const entry = (day: string) => ({ amount: 100, day, text, ref: `G${day}` });
  const files = ["2026-03-02", "2026-03-03", "2026-03-04"].map((day) =>
    statements.write({ day, entries: [entry(day)] }),
  ) as [string, string, string];
  await bank.apply(files[0], statements.connection);
  await bank.apply(files[2], statements.connection);
  const kinds = async () =>
    (await listExceptions(bank.db, statements.connection, Date.parse("2026-03-05"))).map(
      ({ kind, amount }) => [kind, amount],
    );
  expect(await kinds()).toEqual([["gap", 100n]]);
  expect((await statements.position()).unexplained).toBe(-100n);
  await bank.apply(files[1], statements.connection);
  expect(await kinds()).toEqual([]);
  expect((await statements.position()).unexplained).toBe(0n);
  expect(await statements.available()).toBe(before + 300);
});

test("a statement of another account is refused; a file of two accounts is applied to both", async () => {
  const [one, two] = [await newStatementTest(bank), await newStatementTest(bank)];
  const day = "2026-03-02";
  const of = (account: string, text: string) => ({
    account,
    from: day,
    to: day,
    opening: 0,
    entries: [{ amount: 40, day, text }],
  });
  await expect(bank.apply(camt053(of(two.account, "x")), one.connection)).rejects.toThrow(
    "BANK404",
  );
  await expect(bank.apply(camt053(of("77777777", "x")))).rejects.toThrow("BANK406");
  const before = [await one.available(), await two.available()];
  const both = camt053(of(one.account, await one.deposit()), of(two.account, await two.deposit()));
  expect(await bank.apply(both)).toMatchObject({ lines: 2, applied: 2 });
  expect([await one.available(), await two.available()]).toEqual(before.map((sum) => sum + 40));
});

test("a file that was sent is an exception once its debit is overdue, not before", async () => {
  const statements = await newStatementTest(bank);
  const { batchId } = await statements.send([1_000]);
  const day = await dayOf(batchId);
  await statements.apply({ day, entries: [] });
  const nowMs = Date.parse(day) + 1;
  expect(await listExceptions(bank.db, statements.connection, nowMs)).toEqual([]);
  const later = new Date(Date.parse(day) + 9 * 86_400_000).toISOString().slice(0, 10);
  await statements.apply({ day: later, entries: [] });
  const found = await listExceptions(bank.db, statements.connection, Date.parse(later));
  expect(found).toMatchObject([{ kind: "batch", item: `batch:${batchId}`, amount: -1_000n }]);
});

test("the rules are tried in the order of their table, and only those that need a reference or one fit are automatic", () => {
  const automatic = Object.entries(statementRules).filter(([, rule]) => rule.isAutomatic);
  expect(automatic.map(([name]) => name)).toEqual([
    "payout_reference",
    "batch_reference",
    "batch_total",
    "payout_account",
    "return_reference",
    "deposit_reference",
  ]);
});
