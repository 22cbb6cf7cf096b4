// disburse payouts import: every row is checked and the import confirmed before any payout is created.

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { listRefusals } from "../../../src/money/imports/file-import-queries.ts";
import { expectProblems, rowsOf } from "../../support/cli-importer.ts";
import { meAs, unknownId } from "../../support/cli-operator.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const suite = await closeAfterTests(payoutTest());
const payer = await suite.payer(1_000_000n);
const payee = await payer.payee();
const { fileOf } = suite;
afterAll(async () => {
  await suite.verified();
});

let references = 0;

/** A valid row, with its own reference. */
function row(changes: Record<string, string> = {}, to = payee) {
  references += 1;
  return { ...to, amount: "1.00", currency: "AUD", reference: `r-${references}`, ...changes };
}

const outcomes = (file: string) =>
  rowsOf(`${file}.result.csv`).map(({ row, outcome, code }) => [row, outcome, code]);

describe("a good file", () => {
  test("is imported completely and in order, with leading zeros, columns in any order, quotes and blanks", async () => {
    const { receiver_id, account_id } = payee;
    const lines = [
      "currency,note,reference,amount,receiver_account_id,receiver_id",
      `AUD,"Rent, ""May""",0007,12.50,${account_id},${receiver_id}`,
      "",
      `AUD,, 000 ,3,${account_id.toUpperCase()},${receiver_id.toUpperCase()}`,
      ",,,,,",
      `AUD,,,0.5,${account_id},${receiver_id}`,
    ];
    const file = fileOf(`\uFEFF${lines.join("\r\n")}\r\n`);
    const before = await payer.available();
    const { code, stdout, stderr } = await payer.run(
      ...["import", file, "--yes", "--by", "Erin", "--json"],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      subaccount_id: payer.subaccountId,
      rows: 3,
      created: 3,
      already_imported: 0,
      refused: 0,
      result_file: `${file}.result.csv`,
    });
    expect(stderr).toMatch(
      /^checking: 3 rows .*\nadding up: 3 of 3 rows .*\nIn test subaccount .*\ncurrency .*\nAUD .*\nimporting: 3 of 3 rows .* rows\/s\n$/,
    );
    expect(stderr).toMatch(/\nAUD +3 +16\.00 AUD +10,000\.00 AUD +- +-\n/);

    const stored = await payer.stored();
    expect(stored.map((one) => [one.amount, one.reference, one.note, one.created_by])).toEqual([
      ["1250", "0007", 'Rent, "May"', meAs("Erin")],
      ["300", "000", "", meAs("Erin")],
      ["50", "", "", meAs("Erin")],
    ]);
    expect(await payer.available()).toBe(before - 1_600n);
    expect(rowsOf(`${file}.result.csv`)).toEqual(
      [2, 4, 6].map((number, index) => ({
        row: String(number),
        payout_id: stored[index].id,
        ...{ outcome: "created", code: "", message: "" },
      })),
    );
    expect(existsSync(`${file}.problems.csv`)).toBe(false);
    // The console shows it as an import of its own, whose payouts are a batch.
    const { import_id } = JSON.parse(stdout);
    expect(stored.map(({ batch_id }) => batch_id)).toEqual(stored.map(() => import_id));
    const [shown] = await payer.imports();
    expect(shown).toMatchObject({
      id: import_id,
      kind: "payouts",
      created_by: meAs("Erin"),
      stages: [{ currency: "AUD", payouts: 3, amount: 1_600 }],
      file: { name: basename(file), rows: 3, created: 3, refused: 0, state: "done" },
    });
  });

  test("pays no row again when imported in reverse, with other notes and other spellings of amounts", async () => {
    const who = await suite.payer(1_000_000n);
    const to = await who.payee();
    const rows = Array.from({ length: 300 }, () => row({ note: "a" }, to));
    const file = fileOf(rows);
    expect((await who.run("import", file, "--yes")).code).toBe(0);
    const before = await who.stored();
    const firstResult = rowsOf(`${file}.result.csv`);

    const turned = fileOf(
      rows.map((one) => ({ ...one, amount: "1", note: "b", allow_duplicate: "TRUE" })).reverse(),
    );
    const dry = await who.run("import", turned, "--dry-run");
    expect(dry.stderr).toContain("300 rows were imported before and are not paid again. ");
    expect(dry.stderr).toContain("Without --dry-run, 0 payouts would be created.\n");
    const again = await who.run("import", turned, "--yes");
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/created +0\nalready_imported +300\nrefused +0\n/);
    expect(rowsOf(`${turned}.result.csv`).map(({ payout_id }) => payout_id)).toEqual(
      firstResult.map(({ payout_id }) => payout_id).reverse(),
    );
    expect(await who.stored()).toEqual(before);
  });

  test("with identical rows that allow duplicates pays each row once over all runs", async () => {
    const who = await suite.payer(100_000n);
    const same = row({ allow_duplicate: "true" }, await who.payee());
    const rows = [{ ...same, allow_duplicate: "" }, same, same];
    const file = fileOf(rows);
    expect((await who.run("import", file, "--yes")).code).toBe(0);
    expect(await who.stored()).toHaveLength(3);
    const more = fileOf([...rows, { ...same, note: "one more" }]);
    const { stdout } = await who.run("import", more, "--yes");
    expect(stdout).toMatch(/created +1\nalready_imported +3\n/);
    expect(await who.stored()).toHaveLength(4);
  });

  test("--dry-run creates nothing and shows the totals, currency by currency", async () => {
    const who = await suite.payer(250n);
    await who.fund(5_000n, "JPY");
    const to = await who.payee();
    const rows = [
      row({ amount: "1.20" }, to),
      row({ amount: "700", currency: "JPY" }, to),
      row({ amount: "1.50" }, to),
    ];
    const file = fileOf(rows);
    const { code, stdout, stderr } = await who.run("import", file, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nrows +3\nproblems +0\ndry_run +true\n\nTotals\n/);
    const [, totals = ""] = stdout.split("Totals\n");
    expect(totals.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["currency", "payouts", "amount", "available", "short", "imported_before"],
      ["AUD", "2", "2.70 AUD", "2.50 AUD", "0.20 AUD", "-"],
      ["JPY", "1", "700 JPY", "5,000 JPY", "-", "-"],
      [""],
    ]);
    expect(stderr).toContain("There is not enough for all: in the order of the file, rows");
    expect(stderr).toContain("Without --dry-run, 3 payouts would be created.\n");
    const json = await who.run("import", file, "--dry-run", "--json");
    expect(JSON.parse(json.stdout).totals).toEqual([
      {
        currency: "AUD",
        payouts: 2,
        amount: "270",
        available: "250",
        short: "20",
        imported_before: 0,
      },
      {
        currency: "JPY",
        payouts: 1,
        amount: "700",
        available: "5000",
        short: "0",
        imported_before: 0,
      },
    ]);
    expect([await who.stored(), existsSync(`${file}.result.csv`)]).toEqual([[], false]);
  });

  test("may be a workbook with other names of columns, and amounts with a decimal comma", async () => {
    const who = await suite.payer(1_000_000n);
    const { receiver_id, account_id } = await who.payee();
    const file = fileOf(
      spreadsheet([
        ["RECEIVER ID", "Account ID", "To pay", "Währung", "Verwendungszweck", "Cost centre"],
        [receiver_id, account_id, "1.234,50", "AUD", "May", 12],
        [receiver_id, account_id, 7.5, "AUD", "June", 12],
      ]),
    );
    const unknown = await who.run("import", file, "--yes");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      "Unknown columns: To pay, Cost centre\nMissing columns: amount\n(disburse payouts template prints a valid header)\n",
    ]);
    const told = ["--map", "to pay=amount", "--map", "Cost centre=-", "--yes"];
    const plain = await who.run("import", file, ...told);
    expect(plain.stderr).toContain('row 2, amount "1.234,50": Amount is not valid');
    expect((await who.run("import", file, ...told, "--decimal", ",")).code).toBe(0);
    expect((await who.stored()).map(({ amount }) => Number(amount))).toEqual([123_450, 750]);
  });

  test("is not imported without a terminal and without --yes", async () => {
    const file = fileOf([row()]);
    expect(await payer.run("import", file)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "Without a terminal to confirm at, add --yes to create payouts, or --dry-run to only check the file.\n",
    });
    expect(existsSync(`${file}.result.csv`)).toBe(false);
  });

  test("can be made from --template, and --help explains every column", async () => {
    const { code, stdout: template } = await command(["payouts", "template"]);
    expect([code, template.split("\n")[0]]).toEqual([
      0,
      "receiver_id,account_id,amount,currency,reference,note,send_on,statement_reference,purpose",
    ]);
    expect((await payer.run("import", fileOf(template), "--dry-run")).code).toBe(0);
    const { stdout: help } = await command(["payouts", "import", "--help"]);
    for (const name of [...(template.split("\n")[0] as string).split(","), "allow_duplicate"]) {
      expect(help).toMatch(new RegExp(`\\n {2}${name} +(required|optional) {2}\\S`));
    }
    expect(help).toContain("imported in the last 30 days");
  });
});

describe("refused rows", () => {
  test("are those that the funds don't cover; once funded, the next run pays only those", async () => {
    const who = await suite.payer(60_000n);
    const to = await who.payee();
    const rows = Array.from({ length: 700 }, () => row({}, to));
    // Small enough for the remaining money.
    rows.push(row({ amount: "0.01" }, to));
    rows[0] = row({ amount: "0.99" }, to);
    const file = fileOf(rows);
    const { code, stdout, stderr } = await who.run("import", file, "--yes", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 701, created: 601, refused: 100 });
    expect(stderr).toContain("There is not enough for all");
    expect(stderr).toContain(`100 rows were refused: see ${file}.result.csv.`);
    const listed = outcomes(file);
    expect(listed).toHaveLength(701);
    expect(listed.slice(0, 600).every(([, outcome]) => outcome === "created")).toBe(true);
    expect(listed.slice(600, 700)).toEqual(
      rows.slice(600, 700).map((_, index) => [String(602 + index), "refused", "PAYO227"]),
    );
    expect(listed[700]).toEqual(["702", "created", ""]);
    expect(rowsOf(`${file}.result.csv`)[600]?.message).toBe("Funds are not sufficient");
    expect(await who.available()).toBe(0n);
    const [shown] = await who.imports();
    expect(shown).toMatchObject({ file: { created: 601, refused: 100, state: "done" } });
    const { subaccountId } = who;
    const key = { subaccountId, id: shown?.id as string };
    const [refused] = await listRefusals(suite.db, key, { limit: 1 });
    expect(refused).toMatchObject({ number: 602, code: "PAYO227", amount: "100", ...to });

    await who.fund(10_000n);
    const again = await who.run("import", file, "--yes", "--json");
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 100, already_imported: 601 });
    expect([await who.available(), (await who.stored()).length]).toEqual([0n, 701]);
  });

  test("have a code each, and the other rows are paid", async () => {
    const who = await suite.payer(10_000n);
    const to = await who.payee();
    await who.pay(to, 100n);
    const unknown = { receiver_id: unknownId, account_id: unknownId };
    const other = await who.payee();
    const file = fileOf([
      row({}, to),
      row({}, unknown),
      row({}, { ...to, account_id: other.account_id }),
      row({ currency: "JPY", amount: "1" }, to),
      row({ reference: "" }, to),
      row({}, other),
    ]);
    expect((await who.run("import", file, "--yes")).code).toBe(1);
    expect(outcomes(file)).toEqual([
      ["2", "created", ""],
      ["3", "refused", "PAYO205"],
      ["4", "refused", "PAYO206"],
      ["5", "refused", "PAYO223"],
      ["6", "refused", "PAYO226"],
      ["7", "created", ""],
    ]);
  });
});

test("a file whose sum is above the threshold of a batch waits for approval, as at the console", async () => {
  const who = await suite.payer(10_000n);
  const to = await who.payee();
  await suite.db.pool.query(
    "insert into payout_limit (subaccount_id, currency, batch_approval_above) values ($1, 'AUD', 150)",
    [who.subaccountId],
  );
  const file = fileOf([row({}, to), row({}, to)]);
  expect((await who.run("import", file, "--yes")).code).toBe(0);
  expect((await who.stored()).map(({ stage }) => stage)).toEqual([
    "awaiting_approval",
    "awaiting_approval",
  ]);
});

describe("a file with problems", () => {
  test("is refused as a whole; each problem is reported with row, column and code, and all are in a file", async () => {
    const stored = await payer.stored();
    const twice = row();
    const rows = [
      row(),
      row({ amount: "12.505" }),
      row({ amount: "10.0", currency: "JPY" }),
      row({ amount: "9999999999999999" }),
      row({ amount: "1,000.00", currency: "AUS" }),
      row({ amount: "", receiver_id: "x" }),
      twice,
      { ...twice, amount: "1", receiver_id: twice.receiver_id.toUpperCase() },
      row({ reference: "x".repeat(201), currency: "" }),
    ];
    const file = fileOf(rows.map((one) => ({ ...one, allow_duplicate: "" })));
    const maybe = fileOf([{ ...row(), allow_duplicate: "maybe" }]);
    const { code, stdout, stderr } = await payer.run("import", file, "--yes");
    expect([code, stdout]).toEqual([2, ""]);
    const problems = [
      'row 3, amount "12.505": Amount is not valid: write it like 1000.00 (PAYO207)',
      'row 4, amount "10.0": Amount is not valid: write it like 1000 (PAYO207)',
      'row 5, amount "9999999999999999": Amount is not valid: write it like 1000.00 (PAYO207)',
      'row 6, currency "AUS": Currency is not valid (PAYO208)',
      'row 7, receiver_id "x": Receiver ID is not valid (PAYO205)',
      "row 7, amount: Amount is required (PAYO203)",
      "row 9: Row 8 says the same: if it is meant, allow_duplicate has to say true (PAYO226)",
      "row 10, currency: Currency is required (PAYO204)",
      `row 10, reference "${"x".repeat(60)}…": Reference is not valid (PAYO209)`,
    ];
    const first = {
      row: "3",
      column: "amount",
      code: "PAYO207",
      problem: "Amount is not valid: write it like 1000.00",
      cell: "12.505",
      cure: "",
    };
    expectProblems({ file, stderr }, problems, first);
    expect((await payer.run("import", maybe, "--yes")).stderr).toContain(
      'row 2, allow_duplicate "maybe": Allow duplicate is not valid (PAYO211)',
    );
    expect(await payer.stored()).toEqual(stored);
    expect(existsSync(`${file}.result.csv`)).toBe(false);
  });

  test("is refused with its wrong columns, and the command that prints a valid header", async () => {
    const file = fileOf("receiver_id,receiver_account_id,account_id,sum\n");
    const { code, stderr } = await payer.run("import", file, "--yes");
    expect(code).toBe(2);
    expect(stderr).toBe(
      "Unknown columns: sum\nColumns that come twice: account_id\nMissing columns: amount, currency\n" +
        "(disburse payouts template prints a valid header)\n",
    );
  });

  test("names a receiver or an account that is not there, or that two have", async () => {
    const who = await suite.payer(10_000n);
    const account_number = "87654999";
    await who.payee(account_number);
    await who.payee(account_number);
    const receiver_email = "unknown@example.com";
    const file = fileOf([
      { account_number, receiver_email: "", amount: "1.00", currency: "AUD" },
      { account_number: "", receiver_email, amount: "1.00", currency: "AUD" },
    ]);
    const { code, stderr } = await who.run("import", file, "--yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /row 2, account_number ".*": There are 2 accounts that fit: .*\(PAYO206\)/,
    );
    expect(stderr).toMatch(
      'row 3, receiver_email "unknown@example.com": No receiver has this email. Correct the email',
    );
    expect(await who.stored()).toEqual([]);
  });

  test("is never overwritten by its result", async () => {
    const file = fileOf([row()]);
    const text = readFileSync(file, "utf8");
    const { code, stderr } = await payer.run("import", file, "--yes", "--result", file);
    expect([code, stderr]).toEqual([
      2,
      `${file} is the file to import, and would be overwritten. Choose another --result.\n`,
    ]);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
