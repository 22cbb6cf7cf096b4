// disburse payouts import --create-receivers: a file that names new receivers creates them once, and pays them when it may.

import { afterAll, expect, test } from "vitest";
import { rowsOf } from "../../support/cli-importer.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { ada } from "../../support/service.ts";

const suite = await closeAfterTests(payoutTest());
afterAll(async () => {
  await suite.verified();
});

function newRow(reference: string, changes: object = {}) {
  const { reference: _, email, ...person } = { reference: "", ...ada() };
  const bank = { bank_code: "062000", account_number: "11112222" };
  const payout = { amount: "1.00", currency: "AUD", reference };
  return { ...person, receiver_email: email, ...bank, ...payout, ...changes };
}

test("creates each new receiver and account once, over two runs, and pays their rows when they may be paid", async () => {
  const payer = await suite.payer(1_000_000n);
  const known = await payer.payee("77778888");
  const mia = newRow("a", { receiver_email: "mia@example.com" });
  const file = suite.fileOf([
    mia,
    { ...mia, reference: "b" },
    newRow("c", { receiver_email: "", account_number: "77778888" }),
  ]);
  // Without the option, its columns are unknown.
  const plain = await payer.run("import", file, "--yes");
  expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining("Unknown columns: ")]);

  const dry = await payer.run("import", file, "--dry-run", "--create-receivers");
  expect(dry.stderr).toContain("New: 1 receivers, 1 accounts. 2 rows: Paid from the import's page");
  const stored = async () => {
    const { rows } = await suite.db.pool.query(
      "select id, email, status from receiver where subaccount_id = $1 and email like 'mia%'",
      [payer.subaccountId],
    );
    return rows;
  };
  expect(await stored()).toEqual([]);

  const first = await payer.run("import", file, "--yes", "--create-receivers", "--json");
  expect(JSON.parse(first.stdout)).toMatchObject({
    receivers: 1,
    accounts: 1,
    paid_later: 2,
    created: 1,
  });
  expect(rowsOf(`${file}.result.csv`).map(({ row, outcome }) => `${row} ${outcome}`)).toEqual([
    "2 paid later",
    "3 paid later",
    "4 created",
  ]);
  const [receiver] = await stored();
  expect(receiver).toMatchObject({ email: "mia@example.com" });
  expect((await payer.stored()).map(({ account_id }) => account_id)).toEqual([known.account_id]);

  // In test mode the account exists at once; the identity check is still to come.
  const early = await payer.run("import", file, "--yes", "--create-receivers");
  expect(early.code).toBe(1);
  expect(rowsOf(`${file}.result.csv`).map(({ code }) => code)).toEqual(["PAYO221", "PAYO221", ""]);
  await suite.db.pool.query(
    `update receiver set status = 'active', kyc_status = 'completed', kyc_step = null, kyc_due_at_ms = null
     where id = $1`,
    [receiver.id],
  );
  const last = await payer.run("import", file, "--yes", "--create-receivers", "--json");
  expect(JSON.parse(last.stdout)).toMatchObject({
    receivers: 0,
    accounts: 0,
    paid_later: 0,
    created: 2,
    already_imported: 1,
  });
  expect(await stored()).toHaveLength(1);
  expect((await payer.stored()).map(({ reference }) => reference).sort()).toEqual(["a", "b", "c"]);
});

test("the template with new payees is refused unchanged, and whole names are offered in two parts", async () => {
  const payer = await suite.payer(0n);
  const words = ["payouts", "template", "--create-receivers"];
  const { stdout: template } = await command(words, suite.environment);
  const unchanged = suite.fileOf(Buffer.from(template));
  const { code, stderr } = await payer.run("import", unchanged, "--yes", "--create-receivers");
  expect(code).toBe(2);
  expect(stderr).toContain("This is the example row of the template. Delete the row");
  const names = { first_name: "", last_name: "", name: "Jane Mary Citizen", country: "Australia" };
  const whole = suite.fileOf([newRow("a", names)]);
  const refused = await payer.run("import", whole, "--yes", "--create-receivers");
  expect(refused.stderr).toContain("Confirm that the last name is Citizen");
  expect(refused.stderr).not.toContain("country");
});

test("in a live subaccount the account waits, and a second run proposes it no second time", async () => {
  const payer = await suite.payer(0n, "live");
  const file = suite.fileOf([newRow("a", { receiver_email: "leo@example.com" })]);
  for (const accounts of [1, 0]) {
    const { stdout } = await payer.run("import", file, "--yes", "--create-receivers", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ receivers: accounts, accounts, paid_later: 1 });
  }
  const { rows } = await suite.db.pool.query(
    "select status from bank_details_change where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ status: "waiting" }]);
});

test("a row that can't be read as a new receiver stops the import, with its cell and the cure", async () => {
  const payer = await suite.payer(1_000n);
  const file = suite.fileOf([newRow("a", { dob: "soon", bank_code: "12" })]);
  const { code, stderr } = await payer.run("import", file, "--yes", "--create-receivers");
  expect(code).toBe(2);
  expect(stderr).toContain('row 2, dob "soon": soon is no date');
  expect(stderr).toContain('row 2, bank_code "12": BSB is not valid');
});
