// disburse banks csv-mapping: proposes a mapping from a sample, shows what it reads, and saves it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCsvMapping } from "../../../src/banking/connections/csv-mapping-queries.ts";
import { command } from "../../support/commands.ts";
import { type BankTest, startBankTest } from "../../support/inbound-setup.ts";
import { settingsOf } from "../../support/service.ts";

let bank: BankTest;
beforeAll(async () => {
  bank = await startBankTest();
});
afterAll(() => bank.close());

const folder = mkdtempSync(join(tmpdir(), "csv-mapping-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const run = (...words: string[]) => command(["banks", "csv-mapping", ...words], settingsOf(bank));

const sample = `Date;Details;Amount;Balance
03/11/2026;Rent;-100,00;900,00
04/11/2026;Salary;2.000,00;2.900,00
05/11/2026;Shop;-50,50;2.849,50
`;

async function newConnection() {
  const { subaccountId } = await bank.newPayer();
  return bank.connect(subaccountId);
}

test("a mapping is proposed, changed, saved and shown", async () => {
  const { id, row } = await newConnection();
  const { name } = row;
  const file = fileOf("sample.csv", sample);
  const none = await run(name);
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining("No mapping is saved")]);

  const shown = await run(name, "--file", file);
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/^is_saved +false$/m);
  expect(shown.stdout).toMatch(/^date\.format +unsure +the dates can also be MM\/DD\/YYYY$/m);
  expect(shown.stdout).toMatch(/^2 +2026-11-03 +- +-100\.00 +AUD +Rent/m);
  expect(shown.stdout).toMatch(/^AUD +2026-11-03 +2026-11-05 +3 +1000\.00 +2849\.50$/m);

  const set = [
    "--set",
    "date.format=MM/DD/YYYY",
    "--set",
    "reference=Details",
    "--save",
    "--by",
    "Erin",
  ];
  const saved = await run(name, "--file", file, "--guess", ...set, "--json");
  expect([saved.code, saved.stderr]).toEqual([0, ""]);
  const { mapping, version, is_saved, saved_by, lines } = JSON.parse(saved.stdout);
  expect({ version, is_saved }).toEqual({ version: 1, is_saved: true });
  expect(saved_by).toContain("Erin");
  expect(mapping).toMatchObject({
    date: { format: "MM/DD/YYYY" },
    reference: "Details",
    decimal: ",",
  });
  expect(lines[0]).toMatchObject({ day: "2026-03-11", amount: "-100.00" });

  const again = JSON.parse((await run(name, "--json")).stdout);
  expect(again).toMatchObject({ version: 1, is_saved: false, mapping });
  const changed = await run(
    name,
    "--set",
    "reference=null",
    "--set",
    'description=["Details"]',
    "--save",
    "--json",
  );
  expect(JSON.parse(changed.stdout)).toMatchObject({ version: 2, is_saved: true });
  expect(JSON.parse(changed.stdout).mapping.reference).toBeUndefined();
  const kept = await findCsvMapping(bank.db, id);
  expect(kept?.mapping).toEqual(JSON.parse(changed.stdout).mapping);

  const { rows } = await bank.db.pool.query("select action from audit_entry where object_id = $1", [
    id,
  ]);
  expect(rows.map(({ action }) => action)).toEqual(["bank.csv-mapping", "bank.csv-mapping"]);
});

test("another kind of amount takes the fields of the one before away", async () => {
  const { row } = await newConnection();
  const file = fileOf("two.csv", "Date,Details,Out,In\n2026-11-03,a,1.00,\n2026-11-04,b,,2.00\n");
  const change = ["amount.kind=debit_credit", "amount.debit=Out", "amount.credit=In"];
  const words = change.flatMap((each) => ["--set", each]);
  const { code, stdout } = await run(row.name, "--file", file, ...words, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    mapping: { amount: { kind: "debit_credit", debit: "Out", credit: "In" } },
    lines: [{ amount: "-1.00" }, { amount: "2.00" }],
  });
});

test("a mapping that can't read its sample is not saved", async () => {
  const { row } = await newConnection();
  const file = fileOf("sample.csv", sample);
  const words = ["--file", file, "--set", "date.format=YYYY-MM-DD", "--save"];
  const refused = await run(row.name, ...words);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("It is not saved");
  expect(refused.stdout).toContain("must be a date as YYYY-MM-DD");
  expect((await run(row.name)).code).toBe(4);
  const invalid = await run(row.name, "--file", file, "--set", "date.format=YY");
  expect([invalid.code, invalid.stderr]).toEqual([1, expect.stringContaining("BANK462")]);
  const bare = await run(row.name, "--guess");
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("--file")]);
  const unclear = await run(row.name, "--file", fileOf("text.txt", "hello\n"));
  expect([unclear.code, unclear.stdout]).toEqual([
    1,
    expect.stringContaining("No mapping can be proposed"),
  ]);
});

test("a CSV file of a connection without a mapping is refused, and says what to do", async () => {
  const connection = await newConnection();
  await expect(bank.apply(sample, connection)).rejects.toMatchObject({
    problems: [{ code: "BANK461" }],
  });
  await expect(bank.apply(sample)).rejects.toMatchObject({
    problems: [{ code: "BANK406" }],
  });
  await expect(bank.apply("hello", connection)).rejects.toMatchObject({
    problems: [{ code: "BANK402" }],
  });
});
