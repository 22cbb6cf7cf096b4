// Sent payouts of a live subaccount, and the ABA file that returns them.

import type { BankConnection } from "../../src/banks/connection.ts";
import { applyInbound } from "../../src/banks/inbound.ts";
import { recordSent } from "../../src/banks/release.ts";
import { railDirectory } from "../../src/rails/directory.ts";
import { sandboxRail } from "../../src/rails/sandbox.ts";
import {
  abaSettings,
  approveNow,
  type BankPayer,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../support/bank-payers.ts";
import { startService } from "../support/service.ts";

/** A live subaccount with a receiver who can be paid. */
export type Payer = BankPayer & { currency: string };

/** A service with functions that make live payouts and send them. */
export type BankTest = Awaited<ReturnType<typeof startBankTest>>;

let accountNumber = 20_000_000;

export async function startBankTest() {
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
  const service = await startService({ rails });
  const { db, seal } = service;

  /** A connection of an account of its own, for one subaccount. */
  function connect(subaccountId: string, changes: object = {}): Promise<BankConnection> {
    accountNumber += 1;
    const settings = { ...abaSettings, account_number: String(accountNumber) };
    return newBankConnection({ db, seal, rails }, subaccountId, { settings, ...changes });
  }

  async function freeze(connection: BankConnection): Promise<string> {
    const [id = ""] = await freezeNow(service, connection, "rail:x");
    return id;
  }

  async function send(connection: BankConnection, id: string): Promise<void> {
    for (const who of ["operator:a", "operator:b"]) await approveNow(service, connection, id, who);
    const sent = { id, bankReference: "", who: "operator:a", atMs: Date.now() };
    await db.transaction((tx) => recordSent(tx, connection, sent));
  }

  return {
    ...service,
    rails,
    service,
    connect,
    freeze,
    send,
    newPayer: async ({ account = {}, currency = "AUD" } = {}): Promise<Payer> => {
      const payer = await newBankPayer(service, { amount: 1_000_000_000n, account, currency });
      return { ...payer, currency };
    },
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
