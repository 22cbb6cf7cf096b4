// A bank connection whose statements are applied one after another, and what became of their lines.

import type { BankConnection } from "../../src/banking/connections/connection.ts";
import { findPosition } from "../../src/banking/statements/position.ts";
import { listStatementLines, listStatements } from "../../src/banking/statements/queries.ts";
import { depositReferencesOf } from "../../src/money/ledger/deposit-reference-queries.ts";
import type { BankTest, Payer } from "./inbound-setup.ts";
import {
  camt053,
  closingOf,
  type WrittenEntry,
  type WrittenStatement,
} from "./statement-messages.ts";

export type StatementTest = Awaited<ReturnType<typeof newStatementTest>>;

type Given = Partial<WrittenStatement> & { entries: WrittenEntry[]; day: string };

/** Every statement opens with what the one before closed with. */
export async function newStatementTest(bank: BankTest, changes: object = {}) {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId, changes);
  const { account_number: account } = connection.settings as { account_number: string };
  let balance = 0n;

  function write({ day, entries, ...given }: Given): string {
    const statement = { account, from: day, to: day, opening: balance, entries, ...given };
    balance = closingOf(statement);
    return camt053(statement);
  }

  return {
    payer,
    connection,
    account,
    write,
    /** The deposit reference of the subaccount. */
    deposit: () => depositReferenceOf(bank, payer),
    apply: (given: Given) => bank.apply(write(given), connection),
    send: (amounts: number[]) => bank.sendPayouts(payer, connection, amounts),
    lines: () => linesOf(bank, connection),
    position: (toDay = "2099-12-31") => findPosition(bank.db, { connection, toDay }),
    async available(): Promise<number> {
      const balances = await payer.disburse.balance.get();
      return balances.find(({ currency }) => currency === "AUD")?.available ?? 0;
    },
  };
}

async function depositReferenceOf(bank: BankTest, { subaccountId }: Payer): Promise<string> {
  const found = await depositReferencesOf(bank.db, subaccountId, ["AUD"]);
  return found.get("AUD") as string;
}

/** With what counts of their matches, oldest statement first. */
async function linesOf(bank: BankTest, { id }: BankConnection) {
  const lines = [];
  for (const { id: statementId } of await listStatements(bank.db, id)) {
    const page = { statementId, afterNumber: -1, limit: 1000 };
    for (const line of await listStatementLines(bank.db, page)) {
      const { rows } = await bank.db.pool.query(
        `select kind, rule, amount, batch_id, payout_id, subaccount_id from bank_match
         where line_id = $1 and not is_undone and kind <> 'undo' order by id`,
        [line.id],
      );
      lines.push({ ...line, matches: rows });
    }
  }
  return lines;
}

/** A user's decision about lines, with a reason. */
export const decisionOf = (lineIds: string[], reason = "seen at the bank") => ({
  lineIds,
  reason,
  who: "operator:a",
  atMs: Date.now(),
});
