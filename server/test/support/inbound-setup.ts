// Sent payouts of a live subaccount.

import type { BankConnection } from "../../src/banking/connections/connection.ts";
import { recordSent } from "../../src/banking/files/release.ts";
import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import {
  abaSettings,
  approveNow,
  type BankPayer,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "./bank-payers.ts";
import { startService } from "./service.ts";

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
    async apply(text: string, connection?: BankConnection, changes: object = {}) {
      const by = { name: "file.txt", who: "operator:a", ...changes };
      const request = { ...by, connection, atMs: Date.now() };
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
