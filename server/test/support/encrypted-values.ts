// A service whose database has values in every encrypted column.

import { askChangedBank } from "../../src/banking/connections/request.ts";
import { storeBankRequest } from "../../src/banking/requests/request.ts";
import { insertBankChange } from "../../src/people/accounts/bank-change-queries.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { claimAnswer } from "../../src/tenants/operator-tokens/answers.ts";
import { abaReturns } from "./aba-returns.ts";
import { type BankTest, startBankTest } from "./inbound-setup.ts";

const sftp = {
  host: "127.0.0.1",
  port: 22,
  user: "acme",
  password: "a password of the bank",
  host_key: `SHA256:${"A".repeat(43)}`,
  folder: "in",
};

/** A service whose database has at least one value in each encrypted column. */
export async function startWithEncryptedValues(): Promise<BankTest> {
  const bank = await startBankTest();
  const { db, seal } = bank;
  const payer = await bank.newPayer();
  const { subaccountId } = payer;
  const connection = await bank.connect(subaccountId);
  const { batchId } = await bank.sendPayouts(payer, connection, [500]);
  const { rows } = await db.pool.query("select process_date from bank_batch where id = $1", [
    batchId,
  ]);
  const returned = [{ amount: 500, reference: "PO-1" }];
  await bank.apply(abaReturns(connection, returned, { date: rows[0].process_date }), connection);
  const other = await bank.newPayer();
  await bank.connect(other.subaccountId, { travels: "sftp", sftp });
  await askChangedBank.perform(
    { db, seal, clock: Date.now },
    { actor: { kind: "user", who: "operator:a@example.com", ip: "", requestId: "" } },
    { id: connection.id, fields: { freeze_at: "10:00" } },
  );
  await db.transaction((tx) =>
    insertBankChange(
      { tx, seal },
      {
        ...{ subaccountId, id: newId(), receiverId: payer.to.receiver_id },
        ...{ accountId: payer.to.account_id, accountVersion: 1, tail: "1111", country: "AUS" },
        ...{ madeBy: "operator:a", confirmedBy: "", madeAtMs: 1 },
        proposal: { given: {}, changes: [] },
      },
    ),
  );
  await db.transaction((tx) =>
    storeBankRequest(
      { tx, seal },
      {
        ...{ kind: "file", connectionId: connection.id, objectId: "a hash", input: { name: "x" } },
        summary: { name: "x", act: "apply", counts: null, sums: [], changes: [] },
        ...{ bytes: Buffer.from("bytes of a file"), who: "operator:a", atMs: 1 },
      },
    ),
  );
  await payer.call("PATCH", "/api/subaccount", { body: { postback_url: "http://127.0.0.1:9/" } });
  const headers = { authorization: "Bearer one" };
  await payer.disburse.webhookEndpoints.update(subaccountId, { headers });
  await payer.disburse.webhookEndpoints.create({
    url: "http://127.0.0.1:9/",
    event_types: ["payoutUpdate"],
    headers,
  });
  // The response has a secret, so its stored copy is encrypted.
  await payer.call("POST", "/api/subaccount/postback-secret", {
    headers: { "idempotency-key": newId() },
  });
  // Under /operator every stored response is encrypted.
  const asked = { tokenId: newId(), key: newId(), requestHash: "", requestId: newId() };
  const claim = await claimAnswer({ db, seal }, asked, Date.now());
  if ("store" in claim) await claim.store({ status: 200, type: "", body: "{}" });
  return bank;
}
