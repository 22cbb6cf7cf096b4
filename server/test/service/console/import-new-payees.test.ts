// A file of payouts that names new receivers and new accounts: they are created once, by the rules of the console, and their rows
// are paid by a later import of the same file.

import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import type {
  PayoutBatchDetail,
  PayoutBatchLine,
} from "../../../src/doors/console/batches/schema.ts";
import type { FileCheck } from "../../../src/doors/console/imports/schema.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";

const service = await closeAfterTests(startConsole(), expectBalancedLedger);
const operator = service.enter("operator");
const approver = service.enter("approver");

type Waiting = { id: string; receiver_id: string };

const csvOf = (rows: object[]) => stringify(rows, { header: true });

/** A row that pays a new person. */
function newRow(changes: object = {}) {
  return {
    "First name": "Mia",
    Surname: "Wong",
    Email: "mia@example.com",
    "Date of birth": "1990-12-10",
    Gender: "F",
    "Dial code": "61",
    Phone: "412345678",
    Street: "1 St. Kilda Road",
    City: "Melbourne",
    State: "VIC",
    Postcode: "3004",
    Country: "AUS",
    BSB: "062000",
    "Account number": "11112222",
    Amount: "10.00",
    Currency: "AUD",
    Reference: "May",
    ...changes,
  };
}

async function importer() {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: "start" });
  const base = `/s/${subaccountId}`;
  const path = `${base}/payouts/import`;
  const check = async (file: string, told = {}) =>
    (await operator.post(`${path}/check`, { ...asFile(file), ...told })).json as FileCheck;
  return {
    disburse,
    subaccountId,
    base,
    path,
    check,
    /** As the page sends it. Without `agreed` nothing is created but payouts. */
    start: async (file: string, agreed: object | undefined, totals: object[] = []) =>
      operator.post(path, {
        ...asFile(file),
        file_name: "May.csv",
        totals,
        ...(agreed && { new_payees: agreed }),
      }),
    receivers: async () =>
      (await disburse.receivers.list({ limit: 1000 }).toArray()).map(({ email }) => email).sort(),
    waiting: async () =>
      (
        await service.db.pool.query(
          `select id, receiver_id from bank_details_change
           where subaccount_id = $1 and status = 'waiting' order by id`,
          [subaccountId],
        )
      ).rows as Waiting[],
    payouts: async () =>
      (await disburse.payouts.list().toArray()).map(({ reference }) => reference),
  };
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a new receiver and account are created once, however often the file comes, and paid when they may be", async () => {
  const { disburse, subaccountId, base, check, start, receivers, waiting, payouts } =
    await importer();
  const file = csvOf([
    newRow(),
    newRow({ Email: "MIA@example.com ", Amount: "20.00", Reference: "bonus" }),
    newRow({ Email: "Leo@example.com", "First name": "Leo", "Account number": "33334444" }),
  ]);
  const found = await check(file);
  expect(found).toMatchObject({
    wrong_rows: 0,
    totals: [],
    waiting: { count: 3, receivers: 2, accounts: 2, totals: [{ currency: "AUD", amount: 4000 }] },
  });
  expect(found.waiting.rows.map(({ amount, currency }) => [amount, currency])).toEqual([
    [1000, "AUD"],
    [2000, "AUD"],
    [1000, "AUD"],
  ]);
  expect(
    found.waiting.rows.map(({ row, name, needs, account }) => [row, name, needs, account]),
  ).toEqual([
    [2, "Mia Wong", "receiver", "•••• 2222"],
    [3, "Mia Wong", "receiver", "•••• 2222"],
    [4, "Leo Wong", "receiver", "•••• 4444"],
  ]);
  // Without the user's consent, or with that to something else, nothing is created.
  expect((await start(file, undefined)).json.error[0].code).toBe("CONS511");
  const other = await start(file, { receivers: 3, accounts: 2 });
  expect([other.status, other.json.error[0].code]).toEqual([409, "CONS514"]);
  expect(await receivers()).toEqual([]);

  const { status, text } = await start(file, { receivers: 2, accounts: 2 });
  expect(status).toBe(200);
  expect(linesOf(text).at(-2)).toEqual({ kind: "new", receivers: 2, accounts: 2, problems: [] });
  expect(await receivers()).toEqual(
    ["Leo@example.com", "MIA@example.com"].map((one) => one.replace("MIA", "mia")),
  );
  expect(await waiting()).toHaveLength(2);
  expect(await payouts()).toEqual([]);

  // The second upload creates nothing, and says what each row waits for.
  const again = await check(file);
  expect(again.waiting).toMatchObject({ count: 3, receivers: 0, accounts: 0 });
  expect(again.waiting.rows.map(({ needs }) => needs)).toEqual(Array(3).fill("account_waits"));
  await start(file, { receivers: 0, accounts: 0 });
  expect([(await receivers()).length, (await waiting()).length]).toEqual([2, 2]);

  const [mia, leo] = await waiting();
  for (const { id, receiver_id } of [mia, leo] as Waiting[]) {
    const approved = await approver.post(`${base}/bank-changes/${id}/approve`, {});
    expect(approved.status).toBe(200);
    if (id === leo?.id) continue;
    await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  }
  const ready = await check(file);
  expect(ready).toMatchObject({
    wrong_rows: 0,
    waiting: {
      count: 1,
      totals: [{ currency: "AUD", amount: 1000 }],
      rows: [{ row: 4, name: "Leo Wong", amount: 1000, needs: "identity_check" }],
    },
    totals: [{ payouts: 2, amount: 3000 }],
  });
  expect(ready.preview.map(({ row, paid_by }) => [row, paid_by])).toEqual([
    [2, null],
    [3, null],
  ]);
  const totals = [{ currency: "AUD", amount: 3000 }];
  for (const _ of [1, 2]) {
    await start(file, undefined, totals);
    expect((await payouts()).sort()).toEqual(["May", "bonus"]);
  }
  // The third upload says of each row what became of it.
  const last = await check(file);
  expect(last.preview).toMatchObject([
    { row: 2, reference: "May", paid_by: { file_name: "May.csv" } },
    { row: 3, reference: "bonus", paid_by: { file_name: "May.csv" } },
  ]);
  expect(last.waiting.rows).toMatchObject([{ row: 4, needs: "identity_check" }]);
  expect(last.totals).toMatchObject([{ payouts: 0, imported_before: 2 }]);
  const { rows: entries } = await service.db.pool.query(
    "select action, after from audit_entry where subaccount_id = $1 order by number",
    [subaccountId],
  );
  const imports = entries.filter(({ action }) => action === "payouts.import");
  expect(imports[0].after).toMatchObject({ rows: 0, new_receivers: 2, new_accounts: 2 });
  expect(entries.filter(({ action }) => action === "account.propose")).toHaveLength(2);
});

test("rows that wait are kept with their import, and paid once: from there or by the file", async () => {
  const { disburse, base, path, check, start, waiting, payouts } = await importer();
  const same = { Amount: "20.00", Reference: "=bonus", allow_duplicate: "true" };
  const leo = { Email: "leo@example.com", "First name": "Leo", "Account number": "33334444" };
  const file = csvOf([newRow({ allow_duplicate: "" }), newRow(same), newRow(same), newRow(leo)]);
  const started = await start(file, { receivers: 2, accounts: 2 });
  const { id } = linesOf(started.text)[0];
  const batch = async () => (await operator.get(`${base}/batches/${id}`)).json as PayoutBatchDetail;
  const states = async () => (await batch()).waiting_rows.map(({ row, state }) => [row, state]);
  const toPay = async () => (await operator.get(`${base}/batches/${id}/waiting.csv`)).text;
  expect((await batch()).waiting_rows).toMatchObject([
    { row: 2, receiver: "Mia Wong", amount: 1000, reference: "May", state: "account_waits" },
    { row: 3, amount: 2000, reference: "=bonus", state: "account_waits" },
    { row: 4, amount: 2000, reference: "=bonus", state: "account_waits" },
    { row: 5, receiver: "Leo Wong", state: "account_waits" },
  ]);
  expect(await batch()).toMatchObject({
    refusals: [],
    can_retry_rows: false,
    file: { state: "done", waiting: 4, waiting_ready: 0 },
  });
  expect((await toPay()).trim().split("\n")).toHaveLength(1);

  const [mia, other] = (await waiting()) as [Waiting, Waiting];
  await approver.post(`${base}/bank-changes/${mia.id}/approve`, {});
  expect((await states()).map(([_, state]) => state)).toEqual([
    ...Array(3).fill("identity_check"),
    "account_waits",
  ]);
  await disburse.testHelpers.setStatus({ id: mia.receiver_id, type: "kyc", status: "success" });
  await approver.post(`${base}/bank-changes/${other.id}/decline`, { reason: "Wrong person" });
  expect(await states()).toEqual([
    [2, "ready"],
    [3, "ready"],
    [4, "ready"],
    [5, "account_declined"],
  ]);
  const [line] = (await operator.get(`${base}/batches`)).json.rows as PayoutBatchLine[];
  expect(line?.file).toMatchObject({ waiting: 4, waiting_ready: 3 });

  // The file pays one of them first: it is gone from the rows that wait, and not paid by them.
  const first = csvOf([newRow()]);
  await start(first, undefined, [{ currency: "AUD", amount: 1000 }]);
  expect((await states()).map(([row]) => row)).toEqual([3, 4, 5]);
  const csv = await toPay();
  const found = await check(csv);
  expect(found).toMatchObject({ wrong_rows: 0, totals: [{ payouts: 2, amount: 4000 }] });
  const pay = () =>
    operator.post(path, {
      ...asFile(csv),
      totals: [{ currency: "AUD", amount: 4000 }],
      retry_of: id,
    });
  const sent = await Promise.all([pay(), pay()]);
  const outcomes = sent.flatMap(({ text }) =>
    linesOf(text).flatMap(({ outcome }) => outcome ?? []),
  );
  expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(2);
  expect((await payouts()).sort()).toEqual(["=bonus", "=bonus", "May"]);
  expect(await states()).toEqual([[5, "account_declined"]]);
  // The file again: nothing of it is paid twice.
  const again = await check(file);
  expect(again.totals).toMatchObject([{ payouts: 0, imported_before: 3 }]);
  expect(await payouts()).toHaveLength(3);
});

test("the template with new payees has every column that one needs, and its example row is refused", async () => {
  const { path, check } = await importer();
  const { text } = await operator.get(`${path}/template-new-payees.csv`);
  const found = await check(text);
  expect(
    found.problems.map(({ row, column, message, cure }) => [row, column, message, cure]),
  ).toEqual([[2, "receiver_email", "This is the example row of the template", "Delete the row"]]);
  const names = found.reading.fields.map(({ name }) => name);
  expect(found.reading.header).toEqual(names.filter((name) => name !== "full_name"));
  // Of a person's own email, it describes a whole new payee.
  const own = await check(text.replace("delete-this-row@example.invalid", "ada@example.com"));
  expect(own).toMatchObject({ wrong_rows: 0, waiting: { count: 1, receivers: 1, accounts: 1 } });
});

test("a whole name is split once the user confirms it, and a business keeps its own", async () => {
  const { check } = await importer();
  const { "First name": _, Surname: __, ...person } = newRow();
  const business = newRow({ "First name": "Leo", Email: "leo@example.com" });
  const file = csvOf([
    { ...person, Name: "Jane Mary Citizen", Country: "australia" },
    { ...person, Name: "Acme Pty Ltd", Email: "acme@example.com", "Account number": "22223333" },
  ]);
  const found = await check(file);
  expect(
    found.problems.map(({ row, column, value, suggestion }) => [row, column, value, suggestion]),
  ).toEqual([
    [2, "first_name", "", "Jane Mary"],
    [2, "last_name", "", "Citizen"],
    [3, "first_name", "", ""],
    [3, "last_name", "", ""],
  ]);
  expect(found.waiting.count).toBe(0);
  const edits = found.problems.flatMap(({ row, column: field, suggestion: value }) =>
    value === "" ? [] : [{ row, field, value }],
  );
  expect((await check(file, { edits })).waiting.rows).toMatchObject([
    { row: 2, name: "Jane Mary Citizen", needs: "receiver" },
  ]);
  const whole = csvOf([{ ...business, Name: "Acme Pty Ltd", Type: "B", ABN: "51824753556" }]);
  const ofBusiness = await check(whole);
  expect(ofBusiness.waiting.rows).toMatchObject([{ name: "Leo Wong, Acme Pty Ltd" }]);
});

test("a known receiver gets a new account only, a misspelt or doubtful one is a problem", async () => {
  const { disburse, check, start, waiting, receivers } = await importer();
  await newPayee(disburse, "55556666", { email: "ada@example.com" });
  const known = newRow({ Email: "ADA@example.com", "First name": "", Surname: "" });
  const found = await check(
    csvOf([
      known,
      newRow({ "First name": "", Surname: "" }),
      newRow({ "Date of birth": "soon", BSB: "1" }),
      newRow({ "Account number": "5555 6666" }),
      newRow(),
      newRow({ Surname: "Wang", Reference: "b" }),
      newRow({ "Date of birth": "soon", Email: "ada@example.com", "Account number": "55556666" }),
    ]),
  );
  expect(found.waiting).toMatchObject({ count: 2, receivers: 1, accounts: 2 });
  expect(found.waiting.rows[0]).toMatchObject({
    row: 2,
    name: "Ada Lovelace",
    needs: "account",
    remarks: [expect.stringMatching(/^Ada Lovelace already has .*6666$/)],
  });
  expect(found.problems.map(({ row, column, message }) => `${row} ${column}: ${message}`)).toEqual([
    "3 receiver_email: No receiver has this email",
    "4 dob: soon is no date",
    "4 bank_code: BSB is not valid. 6 digits, with or without a hyphen after the third.",
    "5 receiver_email: No receiver has this email",
    "7 : Row 6 says something else about the same new receiver",
  ]);
  expect(found.problems[3]?.cure).toBe(
    "Ada Lovelace has the account: correct the email of one of them",
  );
  // The last row pays a known account, so nobody reads its date of birth.
  expect(found.totals).toMatchObject([{ payouts: 1 }]);
  await start(csvOf([known]), { receivers: 0, accounts: 1 });
  expect([(await receivers()).length, (await waiting()).length]).toEqual([1, 1]);
});

test("an import that stopped between receivers and accounts goes on, and two at once propose an account once", async () => {
  const { base, check, start, waiting, receivers } = await importer();
  const file = csvOf([
    newRow(),
    newRow({ Email: "leo@example.com", "Account number": "33334444" }),
  ]);
  // As it is left by a kill after the receivers were committed.
  await service.db.pool.query("alter table bank_details_change rename to away");
  const broken = await start(file, { receivers: 2, accounts: 2 });
  await service.db.pool.query("alter table away rename to bank_details_change");
  expect(linesOf(broken.text).at(-1)).toMatchObject({ kind: "stopped" });
  expect([(await receivers()).length, (await waiting()).length]).toEqual([2, 0]);

  expect((await check(file)).waiting).toMatchObject({ count: 2, receivers: 0, accounts: 2 });
  const both = await Promise.all([1, 2].map(() => start(file, { receivers: 0, accounts: 2 })));
  expect(both.map(({ status }) => status).includes(200)).toBe(true);
  expect([(await receivers()).length, (await waiting()).length]).toEqual([2, 2]);
  // Nor does the form, however the number is written.
  const [{ receiver_id }] = (await waiting()) as [Waiting];
  const account = { receiver_id, account_type: "I", bsb: "062-000", account_number: "1111 2222" };
  const again = await operator.post(`${base}/accounts`, account);
  expect([again.status, again.json.error[0].code]).toEqual([409, "CONS403"]);
});
