// disburse receivers import: every row is checked before any receiver is created.

import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { csvOf, expectProblems, importTest, rowsOf } from "../../support/cli-importer.ts";
import { meAs } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { ada } from "../../support/service.ts";

const suite = await closeAfterTests(importTest());
const { fileOf, importer } = suite;

describe("a good file", () => {
  test("is imported completely, with columns in any order, BOM, CRLF, quotes, blanks and leading zeros", async () => {
    const { run, stored } = await importer();
    const zeros = ada({
      phone: "0412345678",
      postcode: "0800",
      state: "NT",
      reference: "0007",
      address: 'The "Old" Mill, 1st floor',
    });
    const plain = ada({ last_name: "Ōe", middle_name: "" });
    const names = Object.keys(zeros).reverse() as Exclude<keyof NewReceiver, "metadata">[];
    const line = (input: Partial<NewReceiver>) =>
      names.map((name) => `"${(input[name] ?? "").replaceAll('"', '""')}"`).join(",");
    const header = names.map((name) => (name === "first_name" ? "fisrt_name" : name));
    const blank = names.map(() => "").join(",");
    const text = [header.join(","), line(zeros), "", blank, line(plain), ""].join("\r\n");
    const file = fileOf(`\uFEFF${text}`);

    const { code, stdout, stderr } = await run(file, "--by", "Erin", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      created: 2,
      already_imported: 0,
      refused: 0,
      result_file: `${file}.result.csv`,
    });
    expect(stderr).toMatch(/^checking: 2 rows in .*\nimporting: 2 of 2 rows in .* rows\/s\n$/);

    const [first, second] = await stored();
    expect(first).toMatchObject({ ...zeros, created_by: meAs("Erin"), kyc_provider: "sandbox" });
    expect(second).toMatchObject({ ...plain, reference: "", middle_name: "" });
    expect(rowsOf(`${file}.result.csv`)).toEqual([
      { row: "2", receiver_id: first?.id, outcome: "created", code: "", message: "" },
      { row: "5", receiver_id: second?.id, outcome: "created", code: "", message: "" },
    ]);
    expect(existsSync(`${file}.problems.csv`)).toBe(false);
  });

  test("gives the same ids when imported again in another order, and creates no receiver", async () => {
    const { run, stored } = await importer();
    const inputs = Array.from({ length: 300 }, () => ada({ reference: "r" }));
    const file = fileOf(csvOf(inputs));
    await run(file);
    const before = await stored();
    const firstResult = rowsOf(`${file}.result.csv`);

    const again = await run(file);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/created +0\nalready_imported +300\nrefused +0\n/);
    expect(rowsOf(`${file}.result.csv`)).toEqual(
      firstResult.map((row) => ({ ...row, outcome: "already imported" })),
    );

    const turned = inputs
      .map((input) => ({
        ...Object.fromEntries(Object.entries(input).reverse()),
        middle_name: " ",
      }))
      .reverse();
    const result = join(suite.folder, "elsewhere.csv");
    await run(fileOf(csvOf(turned)), "--result", result);
    expect(rowsOf(result).map(({ receiver_id }) => receiver_id)).toEqual(
      firstResult.map(({ receiver_id }) => receiver_id).reverse(),
    );
    expect(await stored()).toEqual(before);
  });

  test("REVR201: only the row whose email is taken is refused", async () => {
    const { run, stored, imports } = await importer();
    const [one, taken, two] = [ada(), ada(), ada()];
    await run(fileOf(csvOf([taken])));
    const other = { ...taken, first_name: "Grace", email: taken.email.toUpperCase() };
    const file = fileOf(csvOf([one, other, two]));

    const { code, stdout, stderr } = await run(file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/created +2\nalready_imported +0\nrefused +1\n/);
    expect(stderr).toContain(`1 rows were refused: see ${file}.result.csv.`);
    expect(
      rowsOf(`${file}.result.csv`).map(({ row, outcome, code }) => [row, outcome, code]),
    ).toEqual([
      ["2", "created", ""],
      ["3", "refused", "REVR201"],
      ["4", "created", ""],
    ]);
    expect((await stored()).map(({ first_name }) => first_name)).toEqual(["Ada", "Ada", "Ada"]);
    const [shown] = await imports();
    expect(shown).toMatchObject({
      kind: "receivers",
      file: { name: basename(file), rows: 3, created: 2, refused: 1, state: "done" },
    });
  });

  test("--dry-run creates nothing and prints how many receivers it would create", async () => {
    const { run, stored } = await importer();
    const file = fileOf(csvOf([ada(), ada()]));
    const { code, stdout, stderr } = await run(file, "--dry-run");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/rows +2\nproblems +0\n/)]);
    expect(stderr).toContain("2 receivers would be created");
    expect([await stored(), existsSync(`${file}.result.csv`)]).toEqual([[], false]);
  });

  test("can be made from --template, and --help explains every column", async () => {
    const { run, stored } = await importer();
    const { stdout: template } = await command(["receivers", "import", "--template"]);
    expect((await run(fileOf(template))).code).toBe(0);
    expect(await stored()).toHaveLength(1);
    const { stdout: help } = await command(["receivers", "import", "--help"]);
    for (const name of template.slice(0, template.indexOf("\n")).split(",")) {
      expect(help).toMatch(new RegExp(`\\n {2}${name} +(required|optional) {2}\\S`));
    }
  });
});

describe("a file with problems", () => {
  test("is refused as a whole; each problem is reported with row, column and code, and all are in a file", async () => {
    const { run, stored } = await importer();
    const twice = ada();
    const inputs = [
      ada(),
      ada({ phone: "12" }),
      twice,
      ada({ email: "nobody", country: "Atlantis", address: "two\nlines" }),
      { ...ada(), email: twice.email.toUpperCase() },
      ada({ city: "" }),
      ada({ address: "Caf\uFFFD" }),
    ];
    const file = fileOf(`${csvOf(inputs)}Ada,Lovelace\n`);
    const { code, stdout, stderr } = await run(file);
    expect([code, stdout]).toEqual([2, ""]);
    const problems = [
      'row 3, phone "12": Phone is not valid (REVR219)',
      'row 5, country "Atlantis": Atlantis is no country that we know. Write its name in English or its code of three letters (REVR225)',
      'row 5, email "nobody": Email is not valid (REVR214)',
      'row 5, address "two\\nlines": Address is not valid (REVR220)',
      `row 6, email "${twice.email.toUpperCase()}": Email already exist: it is that of row 4 too (REVR201)`,
      "row 7, city: City is required (REVR210)",
      'row 8, address "Caf\uFFFD": The text is not in UTF-8. Save the file as CSV UTF-8 or as an Excel workbook (.xlsx)',
      "row 9: There are 2 cells where the header has 13",
    ];
    const first = {
      row: "3",
      column: "phone",
      code: "REVR219",
      problem: "Phone is not valid",
      cell: "12",
      cure: "4 to 15 digits that form a possible number with dialcode.",
    };
    expectProblems({ file, stderr }, problems, first);
    expect([await stored(), existsSync(`${file}.result.csv`)]).toEqual([[], false]);

    writeFileSync(file, csvOf([twice]));
    expect((await run(file)).code).toBe(0);
    expect(existsSync(`${file}.problems.csv`)).toBe(false);
  });

  test("shows 50 of many problems and writes them all", async () => {
    const { run } = await importer();
    const file = fileOf(csvOf(Array.from({ length: 1_234 }, () => ada({ gender: "W" }))));
    const { code, stdout, stderr } = await run(file, "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { rows: 1_234, problems: 1_234, problems_file: `${file}.problems.csv` },
    ]);
    expect(stderr.match(/^row /gm)).toHaveLength(50);
    expect(stderr).toContain('row 51, gender "W": Gender is not valid (REVR217)\nand 1,184 more\n');
    expect(rowsOf(`${file}.problems.csv`).at(-1)?.row).toBe("1235");
  });

  test("is read up to an unclosed quote, and the rows before it are checked", async () => {
    const { run, stored } = await importer();
    const text = csvOf([ada({ phone: "12" }), ada()]);
    const { code, stderr } = await run(fileOf(`${text}"Ada,Lovelace\n${"x".repeat(100_000)}`));
    expect(code).toBe(2);
    expect(stderr).toContain(
      'row 2, phone "12": Phone is not valid (REVR219)\nrow 4: Too long for a row',
    );
    expect(await stored()).toEqual([]);
  });

  test("names all wrong columns at once", async () => {
    const { run } = await importer();
    const { email, city, ...rest } = ada();
    const file = fileOf(`${Object.keys(rest).join(",")},fisrt_name,status,,iban\n`);
    const { code, stdout, stderr } = await run(file);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Unknown columns: status, iban\n");
    expect(stderr).toContain("Columns without a name: column 14\n");
    expect(stderr).toContain("Columns that come twice: fisrt_name\n");
    expect(stderr).toContain("Missing columns: email, city\n");
  });

  test("is never overwritten by the result, also not through a link", async () => {
    const { run } = await importer();
    const text = csvOf([ada()]);
    const file = fileOf(text);
    const [soft, hard] = [join(suite.folder, "soft.csv"), join(suite.folder, "hard.csv")];
    symlinkSync(file, soft);
    linkSync(file, hard);
    for (const result of [file, soft, hard]) {
      const { code, stderr } = await run(file, "--result", result);
      expect([code, stderr]).toEqual([
        2,
        `${result} is the file to import, and would be overwritten. Choose another --result.\n`,
      ]);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.each([
    [["receivers", "import"], "Name the file"],
    [["receivers", "import", "/nowhere.csv"], "There is no file /nowhere.csv."],
    [["receivers", "import", tmpdir()], "There is no file"],
    [["receivers", "import", "/dev/null"], "There is no file"],
  ])("%j exits with code 2", async (words, why) => {
    const { code, stderr } = await command(words, suite.environment);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test("an empty file and an unwritable result file change nothing", async () => {
    const { run, stored } = await importer();
    const empty = await run(fileOf(""));
    expect([empty.code, empty.stderr]).toEqual([2, "The file is empty: it needs a header row.\n"]);
    const { code, stderr } = await run(fileOf(csvOf([ada()])), "--result", "/nowhere/result.csv");
    expect(code).toBe(2);
    expect(stderr).toContain("/nowhere/result.csv can't be written (ENOENT).");
    expect(await stored()).toEqual([]);
  });
});
