// Sent payouts of a live subaccount, and the ABA file that returns them.

import { findBatch } from "../../src/banks/batch-queries.ts";
import { type BankConnection, openWindow } from "../../src/banks/connection.ts";
import { connectBanks } from "../../src/banks/connections.ts";
import { freezeBatches } from "../../src/banks/freeze.ts";
import { applyInbound } from "../../src/banks/inbound.ts";
import { approveBatch, recordSent } from "../../src/banks/release.ts";
import { putConnection } from "../../src/banks/save-connection.ts";
import { fund } from "../../src/ledger/fund.ts";
import { railDirectory } from "../../src/rails/directory.ts";
import { sandboxRail } from "../../src/rails/sandbox.ts";
import { ada, type Service, startService } from "../support/service.ts";

const abaSettings = {
  bank: "CBA",
  user_id: "301500",
  user_name: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  account_number: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
};

/** A live subaccount with a receiver who can be paid. */
export type Payer = Awaited<ReturnType<typeof newPayer>>;

/** A service with helpers that make live payouts and send them. */
export type BankTest = Awaited<ReturnType<typeof startBankTest>>;

const australian = { account_type: "I", bsb: "083047", account_number: "111111111" } as const;

async function newPayer(
  service: Service,
  { account = australian as object, currency = "AUD" } = {},
) {
  const caller = await service.newCaller({ mode: "live" });
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const { subaccountId } = caller;
  await service.db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
    [subaccountId],
  );
  const given = { receiver_id, ...australian, ...account };
  const { account_id } = await caller.disburse.receiverAccounts.create(given);
  await service.db.transaction((tx) =>
    fund(tx, {
      subaccountId,
      currency,
      amount: 1_000_000_000n,
      reference: "first",
      who: "test",
      atMs: 1,
    }),
  );
  return { ...caller, currency, to: { receiver_id, account_id } };
}

let accountNumber = 20_000_000;

export async function startBankTest() {
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
  const service = await startService({ rails });
  const { db, seal } = service;

  /** A connection of an account of its own, for one subaccount. */
  async function connect(subaccountId: string, changes: object = {}): Promise<BankConnection> {
    accountNumber += 1;
    const input = {
      name: subaccountId,
      format: "aba",
      subaccount_ids: [subaccountId],
      settings: { ...abaSettings, account_number: String(accountNumber) },
      ...changes,
    };
    const { after } = await db.transaction((tx) =>
      putConnection({ tx, seal }, input, { who: "operator:admin", atMs: Date.now() }),
    );
    const connections = await connectBanks({ db, seal, rails });
    return connections.find(({ id }) => id === after.id) as BankConnection;
  }

  async function freeze(connection: BankConnection): Promise<string> {
    const atMs = Date.now();
    const window = openWindow(connection, atMs);
    const [id = ""] = await freezeBatches(service, connection, { who: "rail:x", atMs, window });
    return id;
  }

  async function send(connection: BankConnection, id: string): Promise<void> {
    const atMs = Date.now();
    const sha256 = (await findBatch(db, id))?.file_sha256 as string;
    for (const who of ["operator:a", "operator:b"]) {
      const approval = { who, atMs, sha256 };
      await db.transaction((tx) => approveBatch(tx, { id, row: connection.row }, approval));
    }
    const sent = { id, bankReference: "", who: "operator:a", atMs };
    await db.transaction((tx) => recordSent(tx, connection, sent));
  }

  return {
    ...service,
    rails,
    service,
    connect,
    freeze,
    send,
    newPayer: (options?: Parameters<typeof newPayer>[1]) => newPayer(service, options),
    /** Creates payouts and sends them in one file. Returns the batch and the payouts. */
    async sendPayouts(payer: Payer, connection: BankConnection, amounts: number[]) {
      const ids: string[] = [];
      for (const [index, amount] of amounts.entries()) {
        const payout = { ...payer.to, amount, currency: payer.currency, allow_duplicate: true };
        const created = await payer.disburse.payouts.create({
          ...payout,
          reference: `PO-${index + 1}`,
        });
        ids.push(created.payout_id);
      }
      const batchId = await freeze(connection);
      await send(connection, batchId);
      return { batchId, ids };
    },
    async apply(text: string, connection?: BankConnection, name = "file.txt") {
      const request = { name, connection, who: "operator:a", atMs: Date.now() };
      const { file, isNew } = await applyInbound(service, Buffer.from(text), request);
      const { lines, applied, noted, suspended, repeated } = file;
      return { isNew, lines, applied, noted, suspended, repeated };
    },
    async stagesOf(payer: Payer, ids: readonly string[]) {
      const payouts = await Promise.all(ids.map((id) => payer.disburse.payouts.get(id)));
      return payouts.map(({ stage }) => stage);
    },
    async suspenseOf(connection: BankConnection) {
      const { rows } = await db.pool.query(
        "select * from bank_suspense_item where connection_id = $1 order by id",
        [connection.id],
      );
      return rows;
    },
  };
}

export type AbaReturnLine = {
  amount: number;
  reference: string;
  code?: string;
  day?: string;
  bsb?: string;
  account?: string;
};

/** A return file as a bank sends it. The accounts are swapped: ours is first. */
export function abaReturns(
  connection: BankConnection,
  lines: readonly AbaReturnLine[],
  { date, total, ours }: { date: string; total?: number; ours?: string },
): string {
  const { account_number } = connection.settings as { account_number: string };
  const [year = "", month = "", day = ""] = date.split("-");
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  const money = (amount: number) => String(amount).padStart(10, "0");
  const records = lines.map((line) =>
    [
      `2062-000${(ours ?? account_number).padStart(9)}`,
      `${line.code ?? "5"}50${money(line.amount)}`,
      "ADA LOVELACE".padEnd(32),
      line.reference.padEnd(18),
      (line.bsb ?? "083-047") + (line.account ?? "111111111").padStart(9),
      "ACME PAYOUTS".padEnd(16),
      `${line.day ?? day}301500`,
    ].join(""),
  );
  const header = [
    `0${" ".repeat(17)}01CBA${" ".repeat(7)}`,
    "CBA RETURNS".padEnd(26),
    `301500${"RETURNS".padEnd(12)}${day}${month}${year.slice(2)}${" ".repeat(40)}`,
  ].join("");
  const totals = money(total ?? sum) + money(total ?? sum) + money(0);
  const count = String(lines.length).padStart(6, "0");
  const trailer = `7999-999${" ".repeat(12)}${totals}${" ".repeat(24)}${count}${" ".repeat(40)}`;
  return [header, ...records, trailer, ""].join("\r\n");
}
