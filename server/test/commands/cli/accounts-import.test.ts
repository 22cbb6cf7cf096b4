// disburse accounts import: a file of accounts of known receivers adds each account once, by the same engine as payouts.

import { expect, test } from "vitest";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const suite = await closeAfterTests(payoutTest());

async function importer(mode: "test" | "live") {
  const payer = await suite.payer(0n, mode);
  const { subaccountId } = payer;
  const { receiver_id } = await payer.payee("77778888");
  const query = async (text: string) => (await suite.db.pool.query(text, [subaccountId])).rows;
  return {
    receiver_id,
    run: (...words: string[]) =>
      command(
        ["accounts", "import", ...words, "--subaccount", subaccountId, "--yes", "--json"],
        suite.environment,
      ),
    accounts: () => query("select account_number_tail from bank_details where subaccount_id = $1"),
    waiting: () => query("select id from bank_details_change where subaccount_id = $1"),
  };
}

test("adds each account of a workbook once, over two runs and two rows", async () => {
  const { receiver_id, run, accounts } = await importer("test");
  const row = [receiver_id, "062000", "11112222"];
  const header = ["RECEIVER ID", "Sort code", "Account No"];
  const known = [receiver_id, "062000", "77778888"];
  const file = suite.fileOf(spreadsheet([header, row, [...row], known]));
  expect(JSON.parse((await run(file, "--dry-run")).stdout)).toMatchObject({ accounts: 1, rows: 3 });
  expect(await accounts()).toHaveLength(1);
  for (const created of [1, 0]) {
    const { code, stdout } = await run(file);
    expect([code, JSON.parse(stdout).accounts]).toEqual([0, created]);
  }
  expect(await accounts()).toHaveLength(2);
});

test("in a live subaccount accounts wait, and wrong cells and unknown receivers stop the import", async () => {
  const { receiver_id, run, accounts, waiting } = await importer("live");
  const good = { receiver_id, receiver_email: "", bsb: "062000", account_number: "11112222" };
  for (const created of [1, 0]) {
    expect(JSON.parse((await run(suite.fileOf([good]))).stdout).accounts).toBe(created);
  }
  expect([(await waiting()).length, (await accounts()).length]).toEqual([1, 1]);
  const wrong = [
    { ...good, account_number: "33334444", bsb: "1" },
    { ...good, receiver_id: "", receiver_email: "unknown@example.com" },
    { ...good, account_number: "" },
  ];
  const { code, stderr } = await run(suite.fileOf([good, ...wrong]));
  expect(code).toBe(2);
  expect(stderr).toContain('row 3, bank_code "1": BSB is not valid');
  expect(stderr).toContain(
    'row 4, receiver_email "unknown@example.com": No receiver has this email',
  );
  expect(stderr).toContain("row 5, account_number: ");
  expect((await waiting()).length).toBe(1);
});
