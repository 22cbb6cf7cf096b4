// A console whose bank connections get statements: what the bank says, one statement after another.

import { monthEndOf } from "../../src/banking/statements/position.ts";
import { depositReferencesOf } from "../../src/money/ledger/deposit-reference-queries.ts";
import { startBankConsole } from "./bank-console.ts";
import { abaSettings } from "./bank-payers.ts";
import { camt053, closingOf, type WrittenEntry } from "./statement-messages.ts";

export type StatementConsole = Awaited<ReturnType<typeof startStatementConsole>>;

let accountNumber = 70_000_000;

/** Payouts are made now, so this month is the one that closes, once the clock was moved. */
export const month = new Date().toISOString().slice(0, 7);
export const lastDay = monthEndOf(month);
export const firstDay = `${month}-01`;

type GivenStatement = { from?: string; to?: string; opening?: bigint };

export async function startStatementConsole() {
  let aheadMs = 0;
  const service = await startBankConsole({ clock: () => Date.now() + aheadMs });

  /** From now on the service works at this time. Users have to enter again. */
  const moveTo = (atMs: number) => {
    aheadMs = atMs - Date.now();
  };

  return {
    ...service,
    moveTo,
    moveToNextMonth: () => moveTo(Date.parse(lastDay) + 2 * 86_400_000),

    /** A payer with a bank connection, and a bank that writes its statements. */
    async newAccount(name: string, changes: object = {}) {
      accountNumber += 1;
      const settings = { ...abaSettings, account_number: String(accountNumber) };
      const payer = await service.newPayer();
      const id = await service.connect(name, [payer.subaccountId], { settings, ...changes });
      let balance = 0n;

      function write(entries: WrittenEntry[], given: GivenStatement = {}) {
        const { from = firstDay, to = firstDay, opening = balance } = given;
        const statement = {
          account: settings.account_number,
          from,
          to,
          opening,
          entries,
        };
        balance = closingOf(statement);
        return camt053(statement);
      }

      async function apply(entries: WrittenEntry[], given: GivenStatement = {}) {
        const content = Buffer.from(write(entries, given)).toString("base64");
        const finance = service.enter("finance");
        const body = { name: "statement.xml", content, connection_id: id };
        return (await service.applyConfirmed(finance, body)).file as { id: string };
      }

      async function deposit(): Promise<string> {
        const found = await depositReferencesOf(service.db, payer.subaccountId, ["AUD"]);
        return found.get("AUD") as string;
      }

      return { id, payer, settings, write, apply, deposit };
    },
  };
}
