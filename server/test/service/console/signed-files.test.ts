// A user uploads files of a bank that signs with PGP.

import { expect, test } from "vitest";
import { depositReferencesOf } from "../../../src/money/ledger/deposit-reference-queries.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { newPgpKeys, type PgpKeys, pgpMessage, sftpWith } from "../../support/pgp-keys.ts";
import { outcomeOf } from "../../support/service.ts";
import { camt053 } from "../../support/statement-messages.ts";

const service = await closeAfterTests(startBankConsole());

test("where the connection has a PGP key, a user can upload only what the bank has signed, and it is checked again when it is confirmed", async () => {
  const { subaccountId } = await service.newPayer("live", 0n);
  const setKey = ({ publicKey }: PgpKeys) =>
    service.connect(subaccountId, [subaccountId], sftpWith({ pgp_verification_key: publicKey }));
  const balances = async () => {
    const { rows } = await service.db.pool.query(
      "select available::int from ledger_balance where subaccount_id = $1",
      [subaccountId],
    );
    return rows;
  };
  const keys = await newPgpKeys("bank");
  const connectionId = await setKey(keys);
  const deposit = (await depositReferencesOf(service.db, subaccountId, ["AUD"])).get("AUD");
  const day = new Date().toISOString().slice(0, 10);
  const statement = camt053({
    account: abaSettings.account_number,
    from: day,
    to: day,
    opening: 0,
    entries: [{ amount: 100, day, text: `RENT ${deposit}` }],
  });
  const user = service.enter("finance");
  const upload = (content: Buffer, more: object) =>
    user.post("/banks/inbound", {
      name: "statement.xml",
      content: content.toString("base64"),
      ...more,
    });
  const named = { connection_id: connectionId };
  const plain = Buffer.from(statement);
  expect(outcomeOf(await upload(plain, named))).toBe("400 BANK410");
  expect(outcomeOf(await upload(plain, {}))).toBe("400 BANK410");
  const { json } = await upload(await pgpMessage(plain, { from: keys }), named);
  expect(json).toMatchObject({ file: null, request_id: expect.any(String) });

  const second = service.enter("operator");
  await setKey(await newPgpKeys("bank"));
  expect(await service.waitingAtBank(json.request_id)).toMatchObject({ made_by: user.who });
  expect(outcomeOf(await service.confirm(json.request_id, second))).toBe("400 BANK410");
  expect(await balances()).toEqual([]);
  await setKey(keys);
  await service.confirm(json.request_id, second);
  expect(await balances()).toEqual([{ available: 100 }]);
  const shown = (await service.enter("admin").get(`/banks/connections/${connectionId}`)).text;
  expect(shown).toContain("pgp_verification_key");
  expect(shown).not.toContain("BEGIN PGP");
});
