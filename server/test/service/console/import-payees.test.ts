// Paying from a spreadsheet: whom a row pays, how the file is read, and what is corrected in place.

import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import type { FileCheck } from "../../../src/doors/console/imports/schema.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";
import { type Cell, spreadsheet } from "../../support/spreadsheets.ts";

const service = await closeAfterTests(startConsole(), expectBalancedLedger);
const finance = service.enter("operator");

async function payer() {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: "start" });
  const path = `/s/${subaccountId}/payouts/import`;
  const check = async (file: string | Uint8Array, told = {}) =>
    (await finance.post(`${path}/check`, { ...asFile(file), ...told })).json as FileCheck;
  return {
    disburse,
    subaccountId,
    path,
    check,
    problems: async (file: string | Uint8Array, told = {}) =>
      (await check(file, told)).problems.map(
        ({ row, column, message }) => `${row} ${column}: ${message}`,
      ),
    /** With the totals of its check. */
    pay: async (file: string | Uint8Array, told = {}) => {
      const { totals } = await check(file, told);
      const agreed = totals.filter(({ payouts }) => payouts > 0);
      const { status, text } = await finance.post(path, {
        ...asFile(file),
        ...told,
        totals: agreed.map(({ currency, amount }) => ({ currency, amount })),
      });
      return {
        status,
        lines:
          status === 200
            ? text
                .trimEnd()
                .split("\n")
                .map((line) => JSON.parse(line))
            : [],
      };
    },
    paid: async () =>
      (await disburse.payouts.list({ limit: 1000 }).toArray())
        .map(({ reference, amount, receiver_account_id }) => ({
          reference,
          amount,
          receiver_account_id,
        }))
        .sort((one, other) => (one.reference < other.reference ? -1 : 1)),
    payee: (number: string, changes: Parameters<typeof newPayee>[2] = {}, more?: object) =>
      newPayee(disburse, number, changes, more),
  };
}

const csvOf = (rows: object[]) => stringify(rows, { header: true });
const aud = { amount: "1.00", currency: "AUD" };

test("a receiver is found by id, email, reference or account number, and two that fit are a problem", async () => {
  const { payee, pay, paid, problems, disburse, subaccountId } = await payer();
  const ada = await payee("11112222", { first_name: "Ada", email: "ada@example.com" });
  const { receiver_id } = ada;
  await disburse.receivers.update(receiver_id, { reference: "staff-1" });
  const rows = [
    { receiver_id, reference: "a" },
    { email: "ADA@example.com ", reference: "b" },
    { "employee no": "staff-1", reference: "c" },
    { "account number": "1111 2222", reference: "d" },
    { account_id: ada.account_id, reference: "e" },
    { email: "ada@example.com", "account number": "11112222", reference: "f" },
  ];
  const columns = ["receiver_id", "email", "employee no", "account number", "account_id"];
  const table = (list: object[]) =>
    stringify(
      list.map((row) => ({ ...aud, ...row })),
      { header: true, columns: [...columns, "reference", "amount", "currency"] },
    );
  expect(await problems(table(rows))).toEqual([]);
  await pay(table(rows));
  expect(await paid()).toEqual(
    ["a", "b", "c", "d", "e", "f"].map((reference) => ({
      reference,
      amount: 100,
      receiver_account_id: ada.account_id,
    })),
  );

  const bob = await payee("33334444", { first_name: "Bob", email: "bob@example.com" });
  await disburse.receivers.update(bob.receiver_id, { reference: "staff-1" });
  await disburse.receiverAccounts.create({
    receiver_id: bob.receiver_id,
    account_type: "I",
    account_number: "11112222",
    bsb: "062001",
  });
  const wrong = [
    { "employee no": "staff-1" },
    { "account number": "11112222" },
    { email: "bob@example.com" },
    { email: "unknown@example.com" },
    { receiver_id, email: "bob@example.com" },
    { email: "ada@example.com", "account number": "33334444" },
    { "account number": "99999999" },
    {},
  ];
  expect(await problems(table(wrong))).toEqual([
    "2 receiver_reference: Several receivers have this reference",
    expect.stringMatching(/^3 account_number: There are 2 accounts that fit: Ada .*; Bob /),
    expect.stringMatching(/^4 account_id: Bob .* has 2 accounts that fit: /),
    "5 receiver_email: No receiver has this email",
    expect.stringMatching(/^6 receiver_email: This email is of Bob .*, the ID of Ada /),
    expect.stringMatching(/^7 account_number: The account with this number is not of Ada /),
    "8 account_number: No account has this number",
    "9 receiver_id: Receiver ID is required",
  ]);
  // A subaccount finds only its own receivers.
  const other = await payer();
  expect(await other.problems(table([{ email: "ada@example.com" }]))).toHaveLength(1);
  expect(subaccountId).not.toBe(other.subaccountId);
});

test("the bank code tells two accounts apart, and its lost zeros are offered back", async () => {
  const { payee, problems, check, pay, paid } = await payer();
  const one = await payee("55556666", {}, { bsb: "062000" });
  await payee("55556666", {}, { bsb: "733001" });
  const row = (bsb: string) => csvOf([{ account: "55556666", bsb, ...aud, reference: "x" }]);
  expect(await problems(row(""))).toHaveLength(1);
  expect((await check(row("62000"))).problems).toMatchObject([
    {
      column: "bank_code",
      value: "62000",
      message: "The first zeros are missing",
      suggestion: "062000",
    },
  ]);
  const edits = [{ row: 2, field: "bank_code", value: "062000" }];
  await pay(row("62000"), { edits });
  expect(await paid()).toMatchObject([{ receiver_account_id: one.account_id }]);
});

test("rows without problems are paid, the others can be downloaded, corrected and paid later", async () => {
  const { payee, check, pay, paid, subaccountId, path } = await payer();
  const { receiver_id, account_id } = await payee("11112222", { email: "eve@example.com" });
  const rows = ["1.00", "x", "3.00"].map((amount, index) => ({
    EMAIL: "eve@example.com",
    Amount: amount,
    Currency: "AUD",
    Reference: `=r${index}`,
  }));
  const file = csvOf(rows);
  const found = await check(file);
  expect(found).toMatchObject({
    rows: 3,
    wrong_rows: 1,
    totals: [{ payouts: 2, amount: 400 }],
    problems: [{ row: 3, column: "amount", value: "x", cure: "Write digits, for example 1234.56" }],
  });
  expect(found.preview.map(({ row }) => row)).toEqual([2, 4]);
  expect(found.problem_file).toMatch(/^EMAIL,Amount,Currency,Reference,row,problem\n/);
  expect(found.problem_file).toContain("'=r1");
  const { lines } = await pay(file);
  expect(lines.filter(({ kind }) => kind === "row").map(({ row }) => row)).toEqual([2, 4]);
  const told = { edits: [{ row: 3, field: "amount", value: "2.00" }] };
  expect(await check(file, told)).toMatchObject({
    wrong_rows: 0,
    totals: [{ payouts: 1, amount: 200, imported_before: 2 }],
  });
  await pay(found.problem_file.replace(",x,", ",2.00,"));
  expect((await pay(file, told)).lines.map(({ outcome }) => outcome ?? "")).toEqual([
    "",
    "already_imported",
    "already_imported",
    "already_imported",
    "",
  ]);
  expect(await paid()).toEqual(
    [100, 200, 300].map((amount, index) => ({
      reference: `=r${index}`,
      amount,
      receiver_account_id: account_id,
    })),
  );
  // The totals are those of the rows that are paid, and rows that are not are in the audit log.
  const none = await finance.post(path, {
    ...asFile(file),
    totals: [{ currency: "AUD", amount: 600 }],
  });
  expect(none.json.error[0].code).toBe("CONS504");
  const { rows: entries } = await service.db.pool.query(
    "select after from audit_entry where subaccount_id = $1 and action = 'payouts.import' order by number",
    [subaccountId],
  );
  expect(
    entries.map(({ after }) => [after.rows, after.rows_left_out, after.cells_corrected]),
  ).toEqual([
    [2, 1, undefined],
    [1, undefined, undefined],
    [3, undefined, 1],
  ]);
  expect(receiver_id).not.toBe(account_id);
});

test("columns that a user chose are remembered for the subaccount, by their names", async () => {
  const { payee, check, pay, paid } = await payer();
  await payee("11112222", { email: "may@example.com" });
  const may = "Who;How much;For\nmay@example.com;1,50;May\n";
  const found = await check(may);
  expect(found.reading.missing).toEqual(["receiver_id", "amount", "currency"]);
  expect(found.rows).toBe(1);
  const told = {
    columns: { receiver_email: 0, amount: 1, reference: 2 },
    fixed: { currency: "AUD" },
  };
  expect((await check(may, told)).reading.decimals).toMatchObject({ mark: ",", example: "1,50" });
  await pay(may, told);
  const june = "FOR;Cost centre;WHO;how much\nJune;12;may@example.com;2,50\n";
  const again = await check(june);
  expect(again.reading).toMatchObject({
    columns: { receiver_email: 2, amount: 3, reference: 0 },
    fixed: { currency: "AUD" },
    missing: [],
  });
  await pay(june);
  expect((await paid()).map(({ reference, amount }) => [reference, amount])).toEqual([
    ["June", 250],
    ["May", 150],
  ]);
  // A file with other columns between them changes nothing.
  await pay(
    csvOf([{ email: "may@example.com", amount: "1.00", currency: "AUD", reference: "x" }]),
    {
      fixed: {},
    },
  );
  expect((await check(june)).reading).toMatchObject({ missing: [], fixed: { currency: "AUD" } });
  const other = await payer();
  expect((await other.check(june)).reading.missing).toHaveLength(3);
});

test("a row that was paid is not paid again to another account of the receiver", async () => {
  const { payee, pay, paid, problems, disburse } = await payer();
  const { receiver_id, account_id } = await payee("11112222", { email: "kim@example.com" });
  const file = csvOf([{ email: "kim@example.com", ...aud, reference: "May" }]);
  const { lines } = await pay(file);
  await disburse.testHelpers.setStatus({ id: lines[1].id, type: "payout", status: "success" });
  await disburse.receiverAccounts.delete(account_id);
  await disburse.receiverAccounts.create({
    receiver_id,
    account_type: "I",
    account_number: "77778888",
    bsb: "062000",
  });
  expect(await problems(file)).toEqual([
    "2 account_id: This row was imported before, and paid to another account of the receiver",
  ]);
  expect((await pay(file)).status).toBe(400);
  expect(await paid()).toHaveLength(1);
});

test("10,000 rows of a workbook are checked, and each wrong one is named", async () => {
  const { payee, check } = await payer();
  await payee("11112222", { email: "lee@example.com" });
  const rows: Cell[][] = Array.from({ length: 10_000 }, (_, index) => [
    "lee@example.com",
    index % 100 === 0 ? "much" : 1.5,
    "AUD",
    `row ${index}`,
  ]);
  const file = spreadsheet([["Email", "Amount", "Currency", "Reference"], ...rows]);
  const { wrong_rows, totals, problems } = await check(file);
  expect([wrong_rows, totals[0]?.amount, problems.length]).toEqual([100, 9_900 * 150, 100]);
});
