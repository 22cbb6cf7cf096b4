// disburse statements: finance's month at the command line, with audit entries.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { settingsOf } from "../../support/service.ts";
import { newStatementTest } from "../../support/statements-setup.ts";

const folder = mkdtempSync(join(tmpdir(), "disburse-closing-"));
const bank = await closeAfterTests(startBankTest());
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const { code, stdout, stderr } = await command(words, settingsOf(bank));
  return { code, stdout, stderr };
}

async function json(...words: string[]) {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

test("a user matches lines, looks after exceptions and closes the month", async () => {
  const statements = await newStatementTest(bank);
  const { name } = statements.connection.row;
  const { batchId } = await statements.send([2_000]);
  const day = "2026-03-31";
  await statements.apply({
    day,
    from: "2026-03-01",
    opening: 9_000,
    entries: [
      { amount: 5_000, day, text: await statements.deposit() },
      { amount: 300, day, text: "who is this" },
      { amount: -2_000, day: "2026-03-30", text: "PAYMENTS" },
      { amount: -150, day, text: "Account fee" },
    ],
  });
  expect(await json("statements", "list", "--bank", name)).toMatchObject([
    { kind: "statement", to: day, opening: "90.00 AUD", closing: "121.50 AUD", lines: 4 },
  ]);
  const open = await json("statements", "open", name);
  expect(open.map(({ amount }: { amount: string }) => amount)).toEqual(["-20.00 AUD", "-1.50 AUD"]);
  const [payment, fee] = open as [{ id: string }, { id: string }];
  const shown = await json("statements", "show", fee.id);
  expect(shown.suggestions).toMatchObject([{ rule: "bank_charge", kind: "company" }]);

  const reason = ["--reason", "seen at the bank", "--by", "Erin"];
  const match = ["statements", "match", "--line", payment.id, "--batch", batchId, ...reason];
  expect(await json(...match)).toMatchObject([{ status: "matched" }]);
  const again = await run(...match);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("BANK472")]);
  expect(await json("statements", "undo", payment.id, ...reason)).toMatchObject([
    { status: "open" },
  ]);
  expect(await json(...match)).toMatchObject([{ status: "matched" }]);
  await json("statements", "company", fee.id, ...reason);

  const exceptions = await json("statements", "exceptions", name);
  const suspense = exceptions.find(({ item }: { item: string }) => item.startsWith("suspense:"));
  await run("statements", "note", suspense.item, "--owner", "ana", "--note", "asked the bank");
  expect(await json("statements", "exceptions", name)).toContainEqual({
    ...suspense,
    owner: "ana",
    note: "asked the bank",
  });
  const { subaccountId } = statements.payer;
  const item = suspense.item.slice("suspense:".length);
  expect(await json("suspense", "fund", item, subaccountId, ...reason)).toMatchObject({
    status: "funded",
  });

  expect(await json("statements", "take-opening", name)).toMatchObject({ amount: "90.00 AUD" });
  const position = await json("statements", "position", name);
  expect(position).toMatchObject({
    balance_by_statement: "121.50 AUD",
    balance_by_books: "141.50 AUD",
    unexplained: "0.00 AUD",
    in_transit: [{ amount: "20.00 AUD", item: `batch:${batchId}` }],
  });
  const early = await run("statements", "close", name, "2099-01");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("BANK481")]);
  expect((await run("statements", "close", name, "May")).code).toBe(2);
  // All of it was booked after the month: in transit is the whole statement.
  const closed = await json("statements", "close", name, "2026-03", "--by", "Erin");
  expect(closed).toMatchObject({
    month: "2026-03",
    books: "0",
    bank: "12150",
    in_transit: "-12150",
  });
  expect(await json("statements", "closings", name)).toHaveLength(1);
  const pdf = join(folder, "closing.pdf");
  expect((await run("statements", "closing", name, "2026-03", "--out", pdf)).code).toBe(0);
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
  const none = await run("statements", "closing", name, "2026-02", "--out", pdf);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("BANK489")]);

  const { rows } = await bank.db.pool.query(
    `select distinct action from audit_entry
     where action ~ '^(statement-line|exception|suspense|bank-opening|bank-month)' order by action`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "bank-month.close",
    "bank-opening.take",
    "exception.note",
    "statement-line.company",
    "statement-line.match",
    "statement-line.undo",
    "suspense.fund",
  ]);
});

test("ids that are none, or of another connection, are refused with their code", async () => {
  const reason = ["--reason", "x"];
  const refusedWith = async (code: string, ...words: string[]) => {
    const { stderr } = await run(...words, ...reason);
    expect(stderr).toContain(code);
  };
  const id = "01a1e44d-89f5-7708-a9b7-016990af4a80";
  await refusedWith("BANK471", "statements", "undo", "no-id");
  await refusedWith("BANK471", "statements", "company", id);
  await refusedWith("BANK473", "statements", "match", "--line", id, "--payout", "no-id");
  const [one, other] = [await newStatementTest(bank), await newStatementTest(bank)];
  const day = "2026-03-31";
  await one.apply({ day, entries: [{ amount: -700, day }] });
  const { batchId, ids } = await other.send([700]);
  const [line] = await one.lines();
  const match = ["statements", "match", "--line", line?.id as string];
  await refusedWith("BANK473", ...match, "--batch", batchId);
  await refusedWith("BANK473", ...match, "--payout", ids[0] as string);
  // A payout that is paid by another line.
  const mine = await one.send([700]);
  const next = "2026-04-01";
  await one.apply({
    day: next,
    entries: [{ amount: -700, day: next, endToEndId: mine.ids[0]?.replaceAll("-", "") as string }],
  });
  await refusedWith("BANK475", ...match, "--payout", mine.ids[0] as string);
  await refusedWith("BANK475", ...match, "--batch", mine.batchId);
  // A return is undone in suspense.
  const returned = {
    amount: 700,
    day: next,
    endToEndId: mine.ids[0]?.replaceAll("-", "") as string,
    returned: "AC04",
  };
  await one.apply({ day: next, entries: [returned] });
  const last = (await one.lines()).at(-1);
  await refusedWith("BANK477", "statements", "undo", last?.id as string);
  await one.apply({ day: next, entries: [{ amount: 1, day: next, text: "unknown" }] });
  const [item] = await bank.suspenseOf(one.connection);
  await refusedWith("BANK421", "suspense", "fund", item.id, id);
});
