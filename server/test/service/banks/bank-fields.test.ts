// The fields that callers give for banks, as the files show them: names, kind of account and purpose.

import { expect, test } from "vitest";
import { checkBankFile } from "../../../../packages/bank-formats/src/check.ts";
import { type BankConnection, openWindow } from "../../../src/banking/connections/connection.ts";
import { connectBanks } from "../../../src/banking/connections/connections.ts";
import { putConnection } from "../../../src/banking/connections/save-connection.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { freezeBatches } from "../../../src/banking/files/freeze.ts";
import { fund } from "../../../src/money/ledger/fund.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { updateStatementName } from "../../../src/tenants/subaccounts/queries.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { ada, startService } from "../../support/service.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
const service = await closeAfterTests(startService({ rails }));

type Bank = { format: string; currency: string; settings: object };
type Paid = { account: Record<string, string>; purpose?: string };

const australian = { account_type: "I", bsb: "083047", account_number: "111111111" };
const american = { country: "USA", bank_code: "021000021", account_number: "000123456789" };

/** The file with one payout for each account, of a subaccount and a connection of their own. */
async function fileOf(bank: Bank, paid: readonly Paid[], statementName = ""): Promise<string> {
  const { db, seal } = service;
  const { subaccountId, disburse } = await service.newCaller({ mode: "live" });
  if (statementName !== "") {
    await db.transaction((tx) => updateStatementName(tx, subaccountId, statementName));
  }
  const { receiver_id } = await disburse.receivers.create(ada());
  await db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
    [subaccountId],
  );
  const { currency } = bank;
  const funding = { subaccountId, currency, amount: 100_000n, reference: "", who: "test", atMs: 1 };
  await db.transaction((tx) => fund(tx, funding));
  const input = { ...bank, name: subaccountId, subaccount_ids: [subaccountId] };
  const { after } = await db.transaction((tx) =>
    putConnection({ tx, seal }, input, { who: "operator:admin", atMs: Date.now() }),
  );
  const connections = await connectBanks({ db, seal, rails });
  const connection = connections.find(({ id }) => id === after.id) as BankConnection;
  for (const [place, { account, ...given }] of paid.entries()) {
    const { account_id } = await disburse.receiverAccounts.create({
      receiver_id,
      account_type: "I",
      account_number: "",
      ...account,
    });
    await disburse.payouts.create({
      ...given,
      receiver_id,
      account_id,
      amount: 500,
      currency,
      reference: `PO-${place}`,
    });
  }
  const atMs = Date.now();
  const window = openWindow(connection, atMs);
  const [id = ""] = await freezeBatches(service, connection, { who: "operator:a", atMs, window });
  let text = "";
  for await (const part of readFile(service, id)) text += part;
  expect(checkBankFile(Buffer.from(text))).toMatchObject({ valid: true, count: paid.length });
  return text;
}

const aba: Bank = {
  format: "aba",
  currency: "AUD",
  settings: abaSettings,
};

const business = { account_type: "B", abn: "51824753556", business_name: "Analytical Engines" };

test("ABA: the title is a business's name, the remitter is the subaccount's", async () => {
  const accounts = [
    { ...australian, ...business },
    { ...australian, account_number: "222222222", ...business, business_name: "" },
    { ...australian, account_number: "333333333", business_name: "Not used" },
  ];
  const paid = accounts.map((account) => ({ account }));
  const text = await fileOf(aba, paid, "Lovelace Wages");
  const entries = text.split(/\r?\n/).filter((line) => line.startsWith("1"));
  expect(entries.map((line) => line.slice(30, 62).trim().toUpperCase())).toEqual([
    "ANALYTICAL ENGINES",
    "ADA LOVELACE",
    "ADA LOVELACE",
  ]);
  for (const line of entries) {
    expect(line.slice(96, 112).trim().toUpperCase()).toBe("LOVELACE WAGES");
  }
  const [unnamed = ""] = (await fileOf(aba, [{ account: australian }]))
    .split(/\r?\n/)
    .filter((line) => line.startsWith("1"));
  expect(unnamed.slice(96, 112).trim()).toBe("ACME PAYOUTS");
});

const nacha: Bank = {
  format: "nacha",
  currency: "USD",
  settings: {
    immediate_destination: "021000021",
    destination_name: "FIRST BANK",
    immediate_origin: "123456789",
    origin_name: "ACME PAYOUTS",
    company_name: "ACME PAYOUTS",
    company_id: "1123456789",
    entry_description: "PAYOUTS",
    odfi: "02100002",
    account_number: "987654321",
  },
};

test("NACHA: checking 22, savings 32, and businesses by their names in a CCD batch", async () => {
  const ofBusiness = { account_type: "B", business_name: "Difference Machines Inc" };
  const text = await fileOf(
    nacha,
    [
      { account: { ...american, ...ofBusiness, checking_or_savings: "savings" } },
      { account: american },
      { account: { ...american, account_number: "55550001", checking_or_savings: "savings" } },
    ],
    "Lovelace Wages",
  );
  const lines = text.split(/\r?\n/);
  const batches = lines.filter((line) => line.startsWith("5"));
  expect(batches.map((line) => [line.slice(4, 20).trim(), line.slice(50, 53)])).toEqual([
    ["Lovelace Wages", "PPD"],
    ["Lovelace Wages", "CCD"],
  ]);
  const entries = lines.filter((line) => line.startsWith("6"));
  expect(entries.map((line) => [line.slice(1, 3), line.slice(54, 76).trim()])).toEqual([
    ["22", "Ada Lovelace"],
    ["32", "Ada Lovelace"],
    ["32", "Difference Machines In"],
  ]);
});

test("pain.001: the purpose of a payout, and the subaccount as who it is paid for", async () => {
  const bank: Bank = {
    format: "pain.001.001.09-aud",
    currency: "AUD",
    settings: { debtor_name: "Acme Payouts", account_number: "12345678", clearing_code: "062000" },
  };
  const other = { ...australian, account_number: "222222222" };
  const text = await fileOf(
    bank,
    [{ account: { ...australian, ...business }, purpose: "SALA" }, { account: other }],
    "Lovelace Wages",
  );
  expect(text.match(/<Purp><Cd>\w+<\/Cd><\/Purp>/g)).toEqual(["<Purp><Cd>SALA</Cd></Purp>"]);
  expect(text).toContain("<Nm>Analytical Engines</Nm>");
  expect(text).toContain("<Nm>Ada Lovelace</Nm>");
  expect(text).toContain("<Nm>Lovelace Wages</Nm>");
});
