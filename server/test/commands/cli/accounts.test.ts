// Receiver accounts from the command line. No account number is shown completely.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyBankChange } from "../../../src/people/accounts/decide-change.ts";
import { noScreening } from "../../../src/people/screening/screener.ts";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import { me, meAs, operatorTest, optionsOf, unknownId } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const operator = await closeAfterTests(operatorTest());
const { run, json, newReceiver } = operator;

/** Approves a change as another user would in the console. */
async function approve(id: string): Promise<string> {
  const { db, seal, subaccountId } = operator;
  const decision = { who: "operator:eve", atMs: Date.now() };
  const applied = await db.transaction((tx) =>
    applyBankChange({ tx, seal, screener: noScreening }, { subaccountId, id }, decision),
  );
  return applied.accountId;
}

const bank = { account_type: "I", account_number: "012345999", bsb: "062000" };
const number = "•••• 5999";

test("create, list and get show only the end of the account number, in every format", async () => {
  const receiver = await newReceiver({ postcode: "0800", state: "NT" });
  const proposed = await json("accounts", "create", "--receiver", receiver, ...optionsOf(bank));
  expect(proposed).toEqual({
    change_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    receiver_id: receiver,
    status: "awaiting_approval",
    warnings: [],
  });
  expect(await json("accounts", "list", receiver)).toEqual([]);
  const created = { account_id: await approve(proposed.change_id) };

  const [listed, ...others] = await json("accounts", "list", receiver);
  expect(others).toEqual([]);
  expect(listed.bank_account_data).toEqual({
    account_number: number,
    bsb: "062000",
    bank_code: expect.any(String),
  });
  expect(listed.address_data.postcode).toBe("0800");
  expect(await json("accounts", "get", created.account_id)).toEqual(listed);

  const inWords = await run("accounts", "list", receiver);
  expect(inWords.stdout).toContain(`${created.account_id}  I `);
  const alone = await run("accounts", "get", created.account_id);
  expect(alone.stdout).toMatch(/\nbsb +062000\n/);
  for (const { stdout } of [inWords, alone, { stdout: JSON.stringify(listed) }]) {
    expect(stdout).toContain(number);
    expect(stdout).not.toContain("12345999");
  }

  const { rows } = await operator.db.pool.query(
    "select created_by from bank_details where subaccount_id = $1 and account_id = $2",
    [operator.subaccountId, created.account_id],
  );
  expect(rows).toEqual([{ created_by: me }]);
});

test("create reads the fields from a file, which keeps numbers out of the shell's history", async () => {
  const receiver = await newReceiver();
  const file = join(operator.folder, "account.json");
  writeFileSync(file, JSON.stringify(bank));
  const { change_id } = await json("accounts", "create", "--receiver", receiver, "--file", file);
  await approve(change_id);
  expect(await json("accounts", "list", receiver)).toHaveLength(1);
});

test("create and validate report every problem at once, of form and of country", async () => {
  const receiver = await newReceiver();
  const wrong = optionsOf({ ...bank, account_type: "Z", bsb: "06" });
  const ways = [
    ["create", "--receiver", receiver],
    ["validate", "--country", "AUS"],
  ];
  for (const words of ways) {
    const { code, stdout, stderr } = await run("accounts", ...words, ...wrong);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^REAC206 account_type: .*\n {2}\S.*\nREAC208 bsb: .*\n {2}\S.*\n$/);
  }
  expect(await json("accounts", "list", receiver)).toEqual([]);
});

test("validate creates nothing, and needs a receiver or a country", async () => {
  const abroad = await json("accounts", "validate", "--country", "AUS", ...optionsOf(bank));
  expect(abroad).toMatchObject({
    bank_name: expect.stringContaining("Commonwealth"),
    bank_account_data: { account_number: number, bsb: "062000" },
  });
  const receiver = await newReceiver();
  const own = await json("accounts", "validate", "--receiver", receiver, ...optionsOf(bank));
  expect(own.bank_account_data).toEqual(abroad.bank_account_data);
  const { stdout } = await run("accounts", "validate", "--country", "AUS", ...optionsOf(bank));
  expect(stdout).toMatch(/\naccount_number +•••• 5999\n/);
  expect(await json("accounts", "list", receiver)).toEqual([]);

  const { code, stderr } = await run("accounts", "validate", ...optionsOf(bank));
  expect([code, stderr]).toEqual([
    1,
    `REAC228 country: ${refusals.REAC228[1]}\n  ${refusals.REAC228[2]}\n`,
  ]);
});

test.concurrent.each([
  [["accounts", "list", unknownId], 4, "no receiver"],
  [["accounts", "get", unknownId], 4, `no account ${unknownId}`],
  [["accounts", "get", "x"], 4, "no account x"],
  [["accounts", "create", "--receiver", unknownId, ...optionsOf(bank)], 4, "no receiver"],
  [["accounts", "validate", "--receiver", unknownId, ...optionsOf(bank)], 4, "no receiver"],
  [["accounts", "create", ...optionsOf(bank)], 2, "--receiver"],
])("%j exits with code %i and a reason", async (words, expected, why) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).toContain(why);
});

test("check-name requests a payee name check; get and list show its outcome", async () => {
  const receiver = await newReceiver();
  const proposed = await json("accounts", "create", "--receiver", receiver, ...optionsOf(bank));
  const id = await approve(proposed.change_id);
  const { db } = operator;
  await db.pool.query(
    "update payee_name_check set outcome = 'close_match', checked_at_ms = 1, due_at_ms = null where account_id = $1",
    [id],
  );
  expect((await json("accounts", "get", id)).payee_name_check).toBe("close_match");
  expect((await run("accounts", "list", receiver)).stdout).toContain("close_match");
  const requested = await json("accounts", "check-name", id, "--by", "Erin");
  expect(requested).toEqual({ account_id: id, payee_name_check: "requested" });
  const { rows } = await db.pool.query(
    `select n.due_at_ms is not null as is_due, e.who from payee_name_check n
     join audit_entry e on e.object_id = n.account_id::text and e.action = 'account.check_name'
     where n.account_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ is_due: true, who: meAs("Erin") }]);
  const missing = await run("accounts", "check-name", unknownId);
  expect([missing.code, missing.stderr]).toEqual([
    4,
    `There is no account ${unknownId} in subaccount ${operator.subaccountId}.\n`,
  ]);
});
