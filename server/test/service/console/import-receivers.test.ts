// Receiver import in the console: every row is shown with its problems first, then those without any are created, once.

import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import type { ReceiverFileCheck } from "../../../src/doors/console/imports/schema.ts";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { ada } from "../../support/service.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const service = await closeAfterTests(startConsole());
const operator = service.enter("operator");

const csvOf = (rows: object[]) => stringify(rows, { header: true });

async function importer() {
  const { disburse, subaccountId } = await service.newCaller();
  const path = `/s/${subaccountId}/receivers/import`;
  return {
    disburse,
    path,
    check: async (file: string | Uint8Array, told = {}) =>
      (await operator.post(`${path}/check`, { ...asFile(file), ...told }))
        .json as ReceiverFileCheck,
    start: async (file: string | Uint8Array, told = {}) => {
      const { status, text } = await operator.post(path, { ...asFile(file), ...told });
      expect(status).toBe(200);
      const lines = text.trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as ImportLine);
    },
    emails: async () =>
      (await disburse.receivers.list({ limit: 1000 }).toArray()).map(({ email }) => email).sort(),
  };
}

test("shows each row with its problems, creates the others once, and the problem file can be imported once corrected", async () => {
  const { disburse, path, check, start, emails } = await importer();
  const known = ada();
  await disburse.receivers.create(known);
  const good = [ada({ first_name: "Ana" }), ada({ country: "NZL", state: "", postcode: "1010" })];
  const wrong = ada({ dob: "1890-01-01", dialcode: "+61", last_name: "=Danger" });
  const csv = csvOf([
    good[0] as object,
    { ...ada(), email: known.email.toUpperCase() },
    wrong,
    good[1] as object,
    { ...ada(), email: good[0]?.email },
  ]);
  const found = await check(csv);
  expect(found.counts).toEqual({ ready: 2, problem: 1, duplicate: 2, already_imported: 0 });
  expect(found.countries).toEqual([
    { country: "AUS", receivers: 1 },
    { country: "NZL", receivers: 1 },
  ]);
  expect(found.preview.map(({ row, verdict }) => `${row} ${verdict}`)).toEqual([
    "3 duplicate",
    "4 problem",
    "6 duplicate",
    "2 ready",
    "5 ready",
  ]);
  expect(found.preview[1]?.problems).toMatchObject([
    {
      column: "last_name",
      value: "=Danger",
      message: "Last name is not valid",
      cure: expect.stringMatching("^1 to 100"),
    },
    { column: "dob", value: "1890-01-01" },
    {
      column: "dialcode",
      message: "Dialcode is not valid",
      cure: "1 to 4 digits, without a plus sign.",
    },
  ]);
  expect(found.preview[2]?.problems).toMatchObject([
    { column: "email", message: "Email already exist: it is that of row 2 too", cure: "" },
  ]);
  expect(await emails()).toEqual([known.email]);

  const lines = await start(csv);
  expect(lines.map(({ kind }) => kind)).toEqual(["start", "row", "row", "end"]);
  const all = [known.email, ...good.map(({ email }) => email)].sort();
  expect(await emails()).toEqual(all);
  const again = await check(csv);
  expect(again.counts).toMatchObject({ ready: 0, already_imported: 2 });
  expect((await operator.post(path, asFile(csv))).json.error[0].code).toBe("CONS511");

  // The file has the rows as they were, with a column that says what is wrong.
  const rows = parse(found.problem_file, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ row }) => row)).toEqual(["3", "4", "6"]);
  expect(rows[1]).toMatchObject({ email: wrong.email, last_name: "'=Danger" });
  expect(rows[1]?.problem).toContain("dialcode");
  const corrected = { ...rows[1], dob: "1990-01-01", dialcode: "61", last_name: "Danger" };
  await start(csvOf([corrected]));
  expect(await emails()).toEqual([...all, wrong.email].sort());

  const { rows: entries } = await service.db.pool.query(
    "select who, after from audit_entry where action = 'receivers.import' and after->>'rows' = '2'",
  );
  expect(entries).toMatchObject([{ who: operator.who }]);
  expect(JSON.stringify(entries)).not.toContain("@example.com,");
});

test("takes a large file; a file that can't be read is refused with the reason", async () => {
  const { path, check, emails } = await importer();
  const csv = csvOf(Array.from({ length: 700 }, () => ada()));
  expect(csv.length).toBeGreaterThan(limits.bodyBytesMax);
  expect((await check(csv)).counts.ready).toBe(700);
  // Two users at once: the second import finds what the first has created, or nothing that is left to do.
  const started = await Promise.all([1, 2].map(() => operator.post(path, asFile(csv))));
  const ends = started.map(({ status, text, json }) =>
    status === 200 ? JSON.parse(text.trimEnd().split("\n").at(-1) ?? "").kind : json.error[0].code,
  );
  expect(ends).toContain("end");
  expect(ends.filter((end) => end !== "end" && end !== "CONS511")).toEqual([]);
  expect(await emails()).toHaveLength(700);

  const { json } = await operator.post(`${path}/check`, asFile("PK\u0003\u0004x"));
  expect(json.error[0].message).toMatch("Excel workbook can't be imported");
  // Columns that are not known, or not there, are for the user to say.
  const { reading, counts } = await check("First name;Colour\nAda;red\n");
  expect(reading.columns).toEqual({ first_name: 0 });
  expect(reading.missing).toContain("last_name");
  expect(counts.ready).toBe(0);
  const { text } = await operator.get(`${path}/template.csv`);
  expect((await check(text)).counts).toMatchObject({ ready: 1, problem: 0 });
});

test("a workbook with its own names of columns: lost zeros are offered back, a corrected cell counts, its columns are remembered", async () => {
  const { check, disburse, start } = await importer();
  const person = {
    ...ada({ state: "NT", city: "Darwin" }),
    postcode: 800,
    dob: { value: 33217, style: 1 },
  };
  const names: Record<string, string> = {
    first_name: "Vorname",
    last_name: "Nachname",
    email: "Wer",
  };
  const file = spreadsheet([
    Object.keys(person).map((name) => names[name] ?? name.toUpperCase()),
    Object.values(person) as string[],
  ]);
  const email = Object.keys(person).indexOf("email");
  const found = await check(file);
  expect(found.reading.missing).toEqual(["email"]);
  const columns = { ...found.reading.columns, email };
  const checked = await check(file, { columns });
  expect(checked.preview[0]?.problems).toMatchObject([
    { row: 2, column: "postcode", value: "800", suggestion: "0800" },
  ]);
  const edits = [{ row: 2, field: "postcode", value: "0800" }];
  expect((await check(file, { columns, edits })).counts).toMatchObject({ ready: 1, problem: 0 });
  await start(file, { columns, edits });
  const [made] = await disburse.receivers.list().toArray();
  expect(made).toMatchObject({ dob: "1990-12-10", address_data: { postcode: "0800" } });
  expect((await check(file)).reading).toMatchObject({ columns, missing: [] });
});
