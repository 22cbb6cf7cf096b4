// A day of the company's live subaccount with its bank: a file that was sent and partly returned, one report that fits no
// payout, a statement, and a file that waits for approval.

import type { Disburse } from "../../client/src/index.ts";
import {
  type BankConnection,
  openWindow,
} from "../../server/src/banking/connections/connection.ts";
import { connectBanks } from "../../server/src/banking/connections/connections.ts";
import { putConnection } from "../../server/src/banking/connections/save-connection.ts";
import { findBatch } from "../../server/src/banking/files/batch-queries.ts";
import { freezeBatches } from "../../server/src/banking/files/freeze.ts";
import { approveBatch, recordSent } from "../../server/src/banking/files/release.ts";
import { applyInbound } from "../../server/src/banking/inbound-files/inbound.ts";
import { takeOpeningBalance } from "../../server/src/banking/statements/close-month.ts";
import { depositReferencesOf } from "../../server/src/money/ledger/deposit-reference-queries.ts";
import { fund } from "../../server/src/money/ledger/fund.ts";
import { decideKyc } from "../../server/src/people/kyc/decide.ts";
import { abaReturns } from "../../server/test/support/aba-returns.ts";
import { camt053 } from "../../server/test/support/statement-messages.ts";
import type { Company } from "./company.ts";
import { payees } from "./people-paid.ts";

const clerk = "operator:rosa@northwind.example";
const approver = "operator:elias@northwind.example";

export async function haveABankDay(company: Company, live: Disburse): Promise<void> {
  const { db } = company;
  const connection = await connect(company);
  const receivers = await newReceivers(company, live);
  const pay = async (amounts: readonly number[], invoice: number) => {
    for (const [index, amount] of amounts.entries()) {
      const to = receivers[index % receivers.length];
      if (!to) throw new Error("there are no receivers");
      const reference = `RIDE-${invoice + index}`;
      await live.payouts.create({ ...to.ids, amount, currency: "AUD", reference });
    }
  };
  await pay([212_50, 188_00, 364_20, 95_40, 330_00, 248_75], 7_101);
  const sent = await freeze(company, connection);
  await send(company, connection, sent);

  const { process_date: date = "" } = (await findBatch(db, sent)) ?? {};
  const [first] = receivers;
  const returned = { account: first?.accountNumber ?? "", bsb: first?.bsb ?? "" };
  const lines = [
    { ...returned, amount: 212_50, reference: "RIDE-7101", code: "3" },
    { amount: 610_00, reference: "RIDE-6990", code: "5" },
  ];
  const request = { name: "returns.aba", connection, who: approver, atMs: Date.now() };
  await applyInbound(company, Buffer.from(abaReturns(connection, lines, { date })), request);

  await applyStatement(company, connection, sent);
  await pay([322_00, 271_60, 143_25, 66_00, 305_10], 7_120);
  await freeze(company, connection);
  await pay([75_30, 110_00], 7_140);
}

/** The bank's statement: a deposit, the file that was sent, a charge, and money of an unknown sender. */
async function applyStatement(
  company: Company,
  connection: BankConnection,
  batchId: string,
): Promise<void> {
  const { db, keys } = company;
  const day = new Date().toISOString().slice(0, 10);
  const references = await depositReferencesOf(db, keys.live.subaccountId, ["AUD"]);
  const { account_number: account } = connection.settings as { account_number: string };
  const total = BigInt((await findBatch(db, batchId))?.total ?? 0);
  const text = camt053({
    account,
    from: day,
    to: day,
    opening: 25_000_00n,
    entries: [
      { amount: 12_000_00n, day, text: references.get("AUD") ?? "", party: "Harbour Rides" },
      { amount: -total, day, messageId: batchId.replaceAll("-", "") },
      { amount: -2_50n, day, text: "File fee", code: "ACMT/MDOP/CHRG" },
      { amount: 480_00n, day, text: "thank you", party: "M Okafor" },
    ],
  });
  const request = { name: "statement.xml", connection, who: approver, atMs: Date.now() };
  await applyInbound(company, Buffer.from(text), request);
  await db.transaction((tx) =>
    takeOpeningBalance(tx, { connection, who: clerk, atMs: Date.now() }),
  );
}

async function connect({ db, seal, rails, keys }: Company): Promise<BankConnection> {
  const input = {
    name: "Everyday account",
    format: "aba",
    subaccount_ids: [keys.live.subaccountId],
    settings: {
      bank: "CBA",
      user_id: "301500",
      user_name: "HARBOUR RIDES PTY LTD",
      bsb: "062000",
      account_number: "12345678",
      description: "PAYOUTS",
      remitter: "HARBOUR RIDES",
    },
  };
  const { after } = await db.transaction((tx) =>
    putConnection({ tx, seal }, input, { who: clerk, atMs: Date.now() }),
  );
  const connections = await connectBanks({ db, seal, rails });
  return connections.find(({ id }) => id === after.id) as BankConnection;
}

async function newReceivers({ db, keys }: Company, live: Disburse) {
  const { subaccountId } = keys.live;
  const funding = { subaccountId, currency: "AUD", amount: 20_000_00n, reference: "TOPUP-01" };
  await db.transaction((tx) => fund(tx, { ...funding, who: clerk, atMs: Date.now() }));
  const australians = payees().filter(({ person }) => person.country === "AUS");
  const made = [];
  for (const { person, account } of australians.slice(9, 15)) {
    const { receiver_id } = await live.receivers.create(person);
    const verdict = { verdict: "approve", reason: "all checks passed" } as const;
    await db.transaction((tx) =>
      decideKyc(
        tx,
        { subaccountId, id: receiver_id },
        { ...verdict, who: clerk, atMs: Date.now() },
      ),
    );
    const { account_id } = await live.receiverAccounts.create({ receiver_id, ...account });
    made.push({
      ids: { receiver_id, account_id },
      accountNumber: account.account_number ?? "",
      bsb: `${account.bsb?.slice(0, 3)}-${account.bsb?.slice(3)}`,
    });
  }
  return made;
}

async function freeze(company: Company, connection: BankConnection): Promise<string> {
  const atMs = Date.now();
  const window = openWindow(connection, atMs);
  const [id] = await freezeBatches(company, connection, { who: clerk, atMs, window });
  if (!id) throw new Error("no payout waits for a bank file");
  return id;
}

async function send({ db }: Company, connection: BankConnection, id: string): Promise<void> {
  const sha256 = (await findBatch(db, id))?.file_sha256 ?? "";
  const { row } = connection;
  await db.transaction((tx) =>
    approveBatch(tx, { id, row }, { who: approver, atMs: Date.now(), sha256 }),
  );
  const sent = { id, bankReference: "UP-20417", who: approver, atMs: Date.now() };
  await db.transaction((tx) => recordSent(tx, connection, sent));
}
