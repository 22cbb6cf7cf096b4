// The attempts of one user to move money by files from banks, suspense and mappings: forged statements, returns and
// notifications of change, decisions about suspense, bank files that are read and discarded.

import type { Disburse } from "../../../client/src/index.ts";
import { fundBySuspense } from "../../src/banking/answers/suspense.ts";
import type { BankConnection } from "../../src/banking/connections/connection.ts";
import { findBatch } from "../../src/banking/files/batch-queries.ts";
import { recordSent } from "../../src/banking/files/release.ts";
import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import { depositReferencesOf } from "../../src/money/ledger/deposit-reference-queries.ts";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { approvePayout } from "../../src/money/payouts/approve.ts";
import type { RailDirectory } from "../../src/money/rails/directory.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { approveNow, freezeNow, newBankConnection } from "../support/bank-payers.ts";
import { nachaReports, nachaSettings } from "../support/inbound-nacha-file.ts";
import { newPerson } from "../support/payers.ts";
import { camt053, type WrittenEntry } from "../support/statement-messages.ts";
import { threshold } from "./four-eyes-check.ts";
import { countWaits } from "./four-eyes-days.ts";

type Parts = { db: Db; seal: Seal; rails: RailDirectory };
type Json = Record<string, unknown>;
type Answer = { status: number; json: Json | undefined };
type Payee = { receiver_id: string; account_id: string };
type Caller = { call: (method: string, path: string, body?: Json) => Promise<Answer> };

/** A bank connection in USD of the attacker's subaccount and of another one, whose money is in the attacker's reach. */
export type BankWorld = {
  connection: BankConnection;
  subaccountId: string;
  /** A client of the company, whose secret no user has seen. */
  accounting: Disburse;
  /** The other subaccount on the same bank account. */
  victimId: string;
  payee: Payee;
  /** A payee to whom nothing was paid today, so that a small payout goes without a second person. */
  unpaidPayee: Payee;
  /** Sent to the bank, above the threshold, approved by others. */
  sentPayoutId: string;
  /** The process date of its file. */
  day: string;
  /** Money in suspense, and money that two others gave from suspense to the victim. */
  openItem: string;
  fundedItem: string;
  depositReference: string;
  /** Days had passed so often when it began. */
  waitsBefore: number;
};

const account = { country: "USA", bsb: "", bank_code: "121000248", account_number: "000123456789" };
const others = ["operator:first@example.com", "operator:second@example.com"] as const;
/** As much as the payout that was sent, so that it can be matched with it. */
const unknownMoney = 10 * threshold;
const victimsMoney = 25 * threshold;
let connections = 0;

export async function beginBank(
  parts: Parts,
  { subaccountId, accounting: program }: { subaccountId: string; accounting: Disburse },
): Promise<BankWorld> {
  const { db, seal, rails } = parts;
  connections += 1;
  // Sequences run at the same time.
  const number = connections;
  const { subaccountId: victimId } = await createSubaccount(
    { db, seal },
    { name: "Victim", mode: "live", scopes: ["read"] },
  );
  const settings = {
    ...nachaSettings,
    company_id: String(1_000_000_000 + number),
    account_number: String(440_000_000 + number),
  };
  const connection = await newBankConnection(parts, subaccountId, {
    ...{ format: "nacha", settings, subaccount_ids: [subaccountId, victimId] },
  });
  const [payee, unpaidPayee] = [
    await newPayee(db, program, account),
    await newPayee(db, program, { ...account, account_number: "000555666777" }),
  ];
  const money = { subaccountId, currency: "USD", amount: 100_000_000n, reference: newId() };
  await fundOnce(db, { ...money, who: "service", atMs: Date.now() });
  const { payout_id: sentPayoutId } = await program.payouts.create({
    ...{ ...payee, amount: 10 * threshold, currency: "USD", reference: "PO-1" },
  });
  const approval = { who: others[0], role: "admin", atMs: Date.now(), rails } as const;
  await db.transaction((tx) => approvePayout(tx, { subaccountId, id: sentPayoutId }, approval));
  const [batchId = ""] = await freezeNow(parts, connection, "rail:x");
  for (const who of others) await approveNow(parts, connection, batchId, who);
  const sent = { id: batchId, bankReference: "", who: others[0], atMs: Date.now() };
  await db.transaction((tx) => recordSent(tx, connection, sent));
  const day = (await findBatch(db, batchId))?.process_date as string;

  // A statement that the service fetched itself.
  const entries = [unknownMoney, victimsMoney].map((amount) => ({ amount, day, text: newId() }));
  const statement = Buffer.from(statementOf(connection, day, entries));
  const who = `rail:${connection.rail}`;
  const fetched = { name: "statement.xml", connection, who, atMs: Date.now() };
  await applyInbound({ db, seal }, statement, fetched);
  const { rows } = await db.pool.query<{ id: string; amount: string }>(
    "select id, amount::text from bank_suspense_item where connection_id = $1",
    [connection.id],
  );
  const itemOf = (amount: number) => rows.find((row) => Number(row.amount) === amount)?.id ?? "";
  const [openItem, fundedItem] = [itemOf(unknownMoney), itemOf(victimsMoney)];
  const deciding = { id: fundedItem, reason: "theirs", who: others[0], atMs: Date.now() };
  await db.transaction((tx) => fundBySuspense(tx, victimId, deciding));
  const references = await depositReferencesOf(db, subaccountId, ["USD"]);
  const depositReference = references.get("USD") as string;
  return {
    ...{
      connection,
      subaccountId,
      victimId,
      payee,
      unpaidPayee,
      sentPayoutId,
      day,
      accounting: program,
    },
    ...{ openItem, fundedItem, depositReference, waitsBefore: countWaits() },
  };
}

async function newPayee(db: Db, program: Disburse, details: typeof account): Promise<Payee> {
  const { receiver_id } = await program.receivers.create(newPerson());
  await db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
    [receiver_id],
  );
  const { account_id } = await program.receiverAccounts.create({
    ...{ receiver_id, account_type: "I", ...details },
  });
  return { receiver_id, account_id };
}

function statementOf({ settings }: BankConnection, day: string, entries: WrittenEntry[]): string {
  const { account_number } = settings as { account_number: string };
  return camt053({
    ...{ account: account_number, currency: "USD", from: day, to: day, opening: 0, entries },
  });
}

/** Each action returns whether the service did it, or took it as a request. */
export function bankActs(
  { db }: Pick<Parts, "db">,
  bank: BankWorld,
  { users, random }: { users: readonly Caller[]; random: () => number },
): Record<string, () => Promise<boolean>> {
  const { connection, day, openItem, fundedItem, subaccountId } = bank;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const user = () => pick(users);
  const isDone = ({ status }: Answer) => status < 300;
  const upload = async (text: string) =>
    isDone(
      await user().call("POST", "/banks/inbound", {
        ...{ name: `${newId()}.txt`, content: Buffer.from(text).toString("base64") },
        connection_id: connection.id,
      }),
    );
  const { company_id } = connection.settings as { company_id: string };
  const report = { place: 1, account: account.account_number, reference: "PO-1" };
  const reported = (one: { code: string; amount?: number; corrected?: string }) =>
    nachaReports(day, [{ ...report, ...one }]).replaceAll(nachaSettings.company_id, company_id);
  const decide = async (item: string, act: string, more: Json = {}) =>
    isDone(await user().call("POST", `/banks/suspense/${item}/${act}`, { reason: "x", ...more }));
  const fund = (item: string) => decide(item, "fund", { subaccount_id: subaccountId });

  return {
    "upload a statement": () =>
      upload(
        statementOf(connection, day, [
          { amount: pick([threshold / 2, 1_000 * threshold]), day, text: bank.depositReference },
        ]),
      ),
    "upload a return": () => upload(reported({ code: "R03", amount: 10 * threshold })),
    "upload a correction": () => upload(reported({ code: "C01", corrected: "000987654321" })),
    "fund from suspense": () => fund(openItem),
    "match suspense": () => decide(openItem, "match", { payout_id: bank.sentPayoutId }),
    "give suspense to the company": () => decide(openItem, "company"),
    "undo a funding": async () => {
      const isUndone = await decide(fundedItem, "undo");
      return (await fund(fundedItem)) || isUndone;
    },
    "split suspense and fund the parts": async () => {
      const amounts = Array.from({ length: 20 }, () => unknownMoney / 20);
      if (!(await decide(openItem, "split", { amounts }))) return false;
      const { json } = await user().call("GET", "/banks/suspense?limit=100");
      const rows = (json?.rows ?? []) as { id: string; connection_name: string; amount: number }[];
      const own = rows.filter(({ connection_name }) => connection_name === connection.row.name);
      for (const { id } of own.slice(0, 10)) await fund(id);
      return own.length > 0;
    },
    "save a mapping": async () =>
      isDone(
        await user().call("PUT", `/banks/connections/${connection.id}/csv-mapping`, {
          mapping: {
            ...{ delimiter: ",", skip_rows: 0, skip_last_rows: 0, has_header: true },
            ...{ date: { column: "Date", format: "YYYY-MM-DD" }, decimal: ".", group: "" },
            ...{ currency: { fixed: "USD" }, description: ["Text"], order: "oldest_first" },
            amount: { kind: "signed", column: "Amount", debits_positive: true },
          },
        }),
      ),
    /** It pays as always, and a user approves it: the one who has redirected the payee? */
    "a program pays the payee of the bank": async () => {
      const request = {
        ...bank.payee,
        amount: 40 * threshold,
        currency: "USD",
        reference: newId(),
      };
      await bank.accounting.payouts.create(request);
      return true;
    },
    "pay the payee of the bank": async () =>
      isDone(
        await user().call("POST", `/s/${subaccountId}/payouts`, {
          ...{ ...bank.payee, amount: pick([40 * threshold, threshold / 2]), currency: "USD" },
          ...{ reference: newId(), allow_duplicate: true, once: newId() },
        }),
      ),
    "read a bank file and discard it": async () => {
      // Something that the file can pay.
      const small = { amount: threshold / 2, currency: "USD", reference: newId() };
      await bank.accounting.payouts.create({ ...bank.unpaidPayee, ...small });
      const path = `/banks/connections/${connection.id}/freeze`;
      const { json } = await user().call("POST", path);
      const [id] = (json?.batch_ids ?? []) as string[];
      if (id === undefined) return false;
      const isRead = isDone(await user().call("POST", `/banks/batches/${id}/raw`, { part: 0 }));
      const words = { words: "not at the bank" };
      await user().call("POST", `/banks/batches/${id}/discard`, words);
      return isRead;
    },
    /** As every user that the attacker controls. */
    "confirm what waits at the bank": async () => {
      // The queue also shows what users of other sequences made.
      const { rows } = await db.pool.query<{ id: string; sha256: string }>(
        "select id, summary_sha256 as sha256 from bank_request where connection_id = $1 and status = 'waiting'",
        [connection.id],
      );
      let done = false;
      for (const { id, sha256 } of rows) {
        for (const one of users)
          done = isDone(await one.call("POST", `/bank-requests/${id}/approve`, { sha256 })) || done;
      }
      return done;
    },
  };
}

/** Balances that were made or moved above the threshold, payments that came back, files that left and were discarded. */
export async function bankComplaints(db: Db, bank: BankWorld): Promise<string[]> {
  const { subaccountId, victimId, sentPayoutId, connection, waitsBefore } = bank;
  // As much as all users may decide alone on these days.
  const alone = threshold * (1 + countWaits() - waitsBefore);
  const { rows } = await db.pool.query<{ what: string }>(
    `select 'funded ' || sum(amount) as what from ledger_transfer
     where subaccount_id = $1 and currency = 'USD' and kind = 'fund' and created_by <> 'service' having sum(amount) > $6
     union all
     select 'taken from another subaccount ' || sum(amount) from ledger_transfer
     where subaccount_id = $2 and kind = 'reversal' having sum(amount) > $6
     union all
     select 'given back: ' || stage from payout where subaccount_id = $1 and id = $3 and status = 'failed'
     union all
     select 'given to the company ' || sum(i.amount) from bank_suspense_item i
     where i.connection_id = $4 and i.status in ('company', 'returned') having sum(i.amount) > $6
     union all
     select 'another mapping' from bank_csv_mapping where connection_id = $4
     union all
     select 'discarded after it was read: ' || id from bank_batch
     where connection_id = $4 and status = 'discarded' and read_at_ms is not null
     union all
     select 'sent to changed bank details: ' || p.id from payout p
     join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id and d.version > 1
     where p.subaccount_id = $1 and p.currency = 'USD' and p.amount > $5 and p.id <> $3 and p.status <> 'failed'
       and p.stage not in ('awaiting_approval', 'on_hold')`,
    [subaccountId, victimId, sentPayoutId, connection.id, threshold, alone],
  );
  return rows.map(({ what }) => what);
}
