// Makes data as users and callers do, and writes it to a file. npm run release-data runs it, not the tests.

import { expect, test } from "vitest";
import { proposeChange } from "../../src/people/accounts/propose-change.ts";
import { version } from "../../src/platform/base/version.ts";
import { newSetUpTokens } from "../../src/tenants/users/invitation.ts";
import { callConsole } from "./console.ts";
import { startWithEncryptedValues } from "./encrypted-values.ts";
import { writeReleaseData } from "./release-data.ts";
import { ada, masterKey } from "./service.ts";
import { newStatementTest } from "./statements-setup.ts";

const farMs = Date.UTC(2100, 0, 1);
const dob = "1971-03-29";
const accountNumber = "987650321";

test("the data of this version is written", async () => {
  const bank = await startWithEncryptedValues();
  const { db, seal, baseUrl } = bank;
  const user = { email: "ada@example.com", password: "correct horse battery" };
  const setUp = { ...user, name: "Ada Admin", token: (await newSetUpTokens(db))?.first };
  expect((await callConsole(baseUrl, {}, "POST", "/set-up", setUp)).status).toBe(200);

  const { key, secret, subaccountId, disburse, call } = await bank.newCaller();
  await disburse.subaccount.update({ postback_url: "http://127.0.0.1:9/" });
  const rotated = await call("POST", "/api/subaccount/postback-secret");
  expect(rotated.status).toBe(200);
  const { receiver_id: receiverId } = await disburse.receivers.create(ada({ dob }));
  const approve = { id: receiverId, type: "kyc", status: "success" };
  const approved = await call("POST", "/api/test-helpers/status", { body: approve });
  expect(approved.status).toBe(200);
  const given = { receiver_id: receiverId, account_type: "I", bsb: "062000" } as const;
  const account = await disburse.receiverAccounts.create({
    ...given,
    account_number: accountNumber,
  });
  const accountId = account.account_id;
  const fund = { amount: 1_000_000, currency: "AUD" };
  expect((await call("POST", "/api/test-helpers/fund", { body: fund })).status).toBe(200);
  const body = {
    ...{ receiver_id: receiverId, account_id: accountId },
    ...{ amount: 12_500, currency: "AUD", reference: "RENT 1" },
  };
  const path = "/api/payout/single";
  const idempotency = "rent-1";
  const paid = await call("POST", path, { body, headers: { "idempotency-key": idempotency } });
  expect(paid.status).toBe(200);
  await db.transaction((tx) =>
    proposeChange(
      { tx, seal },
      { subaccountId, id: accountId, who: "operator:other" },
      { bsb: "083047" },
    ),
  );
  const { rows } = await db.pool.query("select id from bank_details_change where account_id = $1", [
    accountId,
  ]);
  const statements = await newStatementTest(bank);
  const day = "2026-11-02";
  const deposit = { amount: 50_000, day, text: await statements.deposit() };
  const applied = await statements.apply({ day, entries: [deposit] });
  expect(applied.lines).toBe(1);
  // The response is repeated for a day; a test repeats it years later.
  await db.pool.query("update idempotency_key set expires_at_ms = $1", [farMs]);
  const { rows: waiting } = await db.pool.query("select from delivery where subaccount_id = $1", [
    subaccountId,
  ]);
  expect(waiting.length).toBeGreaterThan(0);
  await writeReleaseData(bank.db, version, {
    ...{
      masterKey: masterKey.toString("base64"),
      key,
      secret,
      subaccountId,
      receiverId,
      accountId,
    },
    ...{ dob, accountNumber, user, changeId: rows[0].id },
    webhookSecret: rotated.json.payload.secret,
    repeated: { path, key: idempotency, body, response: paid.json },
  });
  await bank.close();
});
