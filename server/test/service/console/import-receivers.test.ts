// Receiver import in the console: every row is shown with its problems first, then those without any are created, once.

import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReceiverFileCheck } from "../../../src/doors/console/imports/schema.ts";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { ada } from "../../support/service.ts";

let service: ConsoleService;
let operator: TestPerson;
beforeAll(async () => {
  service = await startConsole();
  operator = service.enter("operator");
});
afterAll(() => service.close());

const csvOf = (rows: object[]) => stringify(rows, { header: true });

async function importer() {
  const { disburse, subaccountId } = await service.newCaller();
  const path = `/s/${subaccountId}/receivers/import`;
  return {
    disburse,
    path,
    check: async (csv: string) =>
      (await operator.post(`${path}/check`, { csv })).json as ReceiverFileCheck,
    start: async (csv: string) => {
      const { status, text } = await operator.post(path, { csv });
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
  expect(found.preview[1]?.problems).toEqual([
    expect.stringMatching("last_name: Last name is not valid. 1 to 100"),
    expect.stringMatching("dob: "),
    "dialcode: Dialcode is not valid. 1 to 4 digits, without a plus sign.",
  ]);
  expect(found.preview[2]?.problems).toEqual([
    "email: Email already exist: it is that of row 2 too",
  ]);
  expect(await emails()).toEqual([known.email]);

  const lines = await start(csv);
  expect(lines.map(({ kind }) => kind)).toEqual(["start", "row", "row", "end"]);
  const all = [known.email, ...good.map(({ email }) => email)].sort();
  expect(await emails()).toEqual(all);
  const again = await check(csv);
  expect(again.counts).toMatchObject({ ready: 0, already_imported: 2 });
  expect((await operator.post(path, { csv })).json.error[0].code).toBe("CONS511");

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
  const { path, check, start, emails } = await importer();
  const csv = csvOf(Array.from({ length: 700 }, () => ada()));
  expect(csv.length).toBeGreaterThan(limits.bodyBytesMax);
  expect((await check(csv)).counts.ready).toBe(700);
  const [one, other] = await Promise.all([start(csv), start(csv)]);
  expect([one.at(-1)?.kind, other.at(-1)?.kind]).toEqual(["end", "end"]);
  expect(await emails()).toHaveLength(700);

  const messageOf = async (text: string) =>
    (await operator.post(`${path}/check`, { csv: text })).json.error[0].message;
  expect(await messageOf("first_name;last_name\nAda;Lovelace\n")).toMatch("semicolons");
  expect(await messageOf("PK\u0003\u0004x")).toMatch("Excel workbook");
  expect(await messageOf("first_name,colour\nAda,red\n")).toMatch("Unknown columns: colour");
  const { text } = await operator.get(`${path}/template.csv`);
  expect((await check(text)).counts).toMatchObject({ ready: 1, problem: 0 });
});
