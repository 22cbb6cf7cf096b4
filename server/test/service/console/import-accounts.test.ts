// Import of accounts at the console: every row is shown with its problems first, then those without any are proposed, once.

import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountFileCheck } from "../../../src/doors/console/imports/schema.ts";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";
import { ada } from "../../support/service.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

let service: ConsoleService;
let operator: TestPerson;
beforeAll(async () => {
  service = await startConsole();
  operator = service.enter("operator");
});
afterAll(() => service.close());

async function importer() {
  const { disburse, subaccountId } = await service.newCaller();
  const path = `/s/${subaccountId}/accounts/import`;
  const start = async (file: string | Uint8Array, told = {}) => {
    const { status, text } = await operator.post(path, { ...asFile(file), ...told });
    expect(status).toBe(200);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ImportLine);
  };
  return {
    disburse,
    subaccountId,
    path,
    start,
    check: async (file: string | Uint8Array, told = {}) =>
      (await operator.post(`${path}/check`, { ...asFile(file), ...told })).json as AccountFileCheck,
    waiting: async () => {
      const { rows } = await service.db.pool.query(
        "select id, receiver_id from bank_details_change where subaccount_id = $1 order by id",
        [subaccountId],
      );
      return rows as { id: string; receiver_id: string }[];
    },
  };
}

const verdictsOf = ({ preview }: AccountFileCheck) =>
  preview.map(({ row, verdict }) => `${row} ${verdict}`);

test("shows each row, proposes every new account once, and the problem file can be imported once corrected", async () => {
  const { disburse, subaccountId, path, check, start, waiting } = await importer();
  const known = await newPayee(disburse);
  const { email } = ada();
  const reference = "EMP 7";
  const { receiver_id } = await disburse.receivers.create({ ...ada(), email, reference });
  const has = (await disburse.receiverAccounts.get(known.account_id)).bank_account_data;
  const row = { receiver_email: email, account_number: "55667788", bsb: "062000" };
  const byReference = { receiver_email: "", receiver_reference: reference };
  const csv = stringify(
    [
      row,
      { ...row, ...byReference },
      { ...row, account_number: "55667799", bsb: "1" },
      { ...row, receiver_email: "nobody@example.com" },
      { ...row, ...byReference, account_number: "11223344" },
    ].map((one) => ({ receiver_reference: "", ...one })),
    { header: true },
  );
  const found = await check(csv);
  expect(found.counts).toEqual({ ready: 2, problem: 2, exists: 1, account_waits: 0 });
  expect(verdictsOf(found)).toEqual(["4 problem", "5 problem", "2 ready", "3 exists", "6 ready"]);
  expect(found.preview[0]?.problems).toMatchObject([{ column: "bank_code", value: "1" }]);
  expect(found.preview[2]).toMatchObject({ name: "Ada Lovelace", account: "•••• 7788" });
  expect(JSON.stringify(found.preview.slice(2))).not.toContain("55667788");
  expect(await waiting()).toEqual([]);

  const lines = await start(csv, { file_name: "accounts.csv" });
  expect(lines.map(({ kind }) => kind)).toEqual(["start", "row", "row", "end"]);
  expect(lines.flatMap((line) => (line.kind === "row" ? [line.outcome] : []))).toEqual([
    "created",
    "created",
  ]);
  const proposed = await waiting();
  expect(proposed.map((one) => one.receiver_id)).toEqual([receiver_id, receiver_id]);
  expect(lines.flatMap((line) => (line.kind === "row" ? [line.id] : []))).toEqual(
    proposed.map(({ id }) => id),
  );
  expect((await check(csv)).counts).toMatchObject({ ready: 0, account_waits: 3, problem: 2 });
  expect((await operator.post(path, asFile(csv))).json.error[0].code).toBe("CONS511");

  const wrong = parse(found.problem_file, { columns: true }) as Record<string, string>[];
  expect(wrong.map(({ row }) => row)).toEqual(["4", "5"]);
  await start(stringify([{ ...wrong[0], bsb: "062000" }], { header: true }));
  expect(await waiting()).toHaveLength(3);

  // An account that the receiver has, in a workbook with other names for its columns.
  const workbook = spreadsheet([
    ["Receiver ID", "Sort code", "Account No"],
    [known.receiver_id, has.bsb, has.account_number],
  ]);
  expect((await check(workbook)).preview).toMatchObject([
    { row: 2, verdict: "exists", account: `•••• ${has.account_number.slice(-4)}` },
  ]);

  const batches = await operator.get(`/s/${subaccountId}/batches`);
  expect(batches.json.rows.map(({ kind }: { kind: string }) => kind)).toEqual([
    "accounts",
    "accounts",
  ]);
  const { rows: entries } = await service.db.pool.query(
    "select who, after from audit_entry where action = 'accounts.import' and object_id = $1",
    [batches.json.rows[1].id],
  );
  expect(entries).toMatchObject([{ who: operator.who, after: { rows: 2, rows_left_out: 2 } }]);
});

test("two imports at once propose each account once; a row that is corrected on the page is read as written there", async () => {
  const { disburse, path, check, waiting } = await importer();
  const { receiver_id } = await newPayee(disburse);
  const rows = Array.from({ length: 40 }, (_, index) => ({
    receiver_id,
    bank_code: index === 0 ? "62000" : "062000",
    account_number: String(10_000_000 + index),
  }));
  const csv = stringify(rows, { header: true });
  const found = await check(csv);
  const edits = [{ row: 2, field: "bank_code", value: "062000" }];
  expect(found.counts).toMatchObject({ ready: 39, problem: 1 });
  expect((await check(csv, { edits })).counts).toMatchObject({ ready: 40, problem: 0 });
  await Promise.all([1, 2].map(() => operator.post(path, { ...asFile(csv), edits })));
  expect(await waiting()).toHaveLength(40);
});
