// Totals a file of payouts: for each currency the count, the amount, and the balance to pay them from.

import type { Db } from "../../platform/db/index.ts";
import { deleteExpiredAnswers, findKeptAnswers } from "../../platform/idempotency/index.ts";
import { findBalance } from "../ledger/index.ts";
import type { Row } from "./import-rows.ts";
import { payoutRequestOf, rowKeys } from "./payout-file.ts";

/** For one currency: amounts of different currencies are never added up. */
export type BalanceSurvey = {
  currency: string;
  payouts: number;
  amount: bigint;
  importedBefore: number;
  available: bigint;
  /** The amount that is missing to pay them all. */
  short: bigint;
};

type Total = Pick<BalanceSurvey, "payouts" | "amount" | "importedBefore">;

type Survey = {
  add(rows: readonly Row[]): Promise<Surveyed[]>;
  /** Rows that turn out to have problems: they are not paid. */
  leaveOut(rows: readonly Row[]): void;
  /** In the order of the currencies. `fees` come on top of the amounts. */
  end(fees?: ReadonlyMap<string, bigint>): Promise<BalanceSurvey[]>;
};

/**
 * `importedAs`: the payout of a row that was imported before, while its stored response has not expired. `isPaidElsewhere`:
 * to another account of the receiver, which was the one that the row meant then.
 */
type Surveyed = { row: Row; importedAs: string | undefined; isPaidElsewhere: boolean };

/** For one pass over rows without problems. */
export async function startSurvey(db: Db, subaccountId: string): Promise<Survey> {
  const totals = new Map<string, Total>();
  const { keyOf, peek } = rowKeys();
  // An expired key counts as unused.
  await deleteExpiredAnswers(db, Date.now());

  return {
    async add(rows) {
      const requests = rows.map(payoutRequestOf);
      const elsewhere: { index: number; key: string }[] = [];
      const keys = requests.map((request, index) => {
        const of = rows[index]?.otherAccounts ?? [];
        for (const accountId of of) {
          elsewhere.push({ index, key: peek({ ...request, accountId }).key });
        }
        return keyOf(request);
      });
      const wanted = keys.map(({ key }) => ({ subaccountId, key }));
      const [known, kept] = await db.transaction(async (tx) => [
        await findKeptAnswers(tx, wanted),
        await findKeptAnswers(
          tx,
          elsewhere.map(({ key }) => ({ subaccountId, key })),
        ),
      ]);
      const paidElsewhere = new Set(
        elsewhere.flatMap(({ index }, place) => (kept[place] && !known[index] ? [index] : [])),
      );
      for (const [index, { currency, amount }] of requests.entries()) {
        if (paidElsewhere.has(index)) continue;
        const sum = totals.get(currency) ?? { payouts: 0, amount: 0n, importedBefore: 0 };
        totals.set(currency, sum);
        if (known[index]) sum.importedBefore += 1;
        else {
          sum.payouts += 1;
          sum.amount += amount;
        }
      }
      return rows.map((row, index) => ({
        row: { ...row, key: keys[index] as (typeof keys)[number] },
        importedAs: payoutIn(known[index]?.answer),
        isPaidElsewhere: paidElsewhere.has(index),
      }));
    },
    leaveOut(rows) {
      for (const { currency, amount } of rows.map(payoutRequestOf)) {
        const sum = totals.get(currency);
        if (!sum) continue;
        sum.payouts -= 1;
        sum.amount -= amount;
      }
    },
    end: (fees) =>
      Promise.all(
        [...totals]
          .filter(hasRows)
          .sort()
          .map(async ([currency, total]) => {
            const available = BigInt((await findBalance(db, { subaccountId, currency })).available);
            const needed = total.amount + (fees?.get(currency) ?? 0n);
            const short = needed > available ? needed - available : 0n;
            return { currency, ...total, available, short };
          }),
      ),
  };
}

function payoutIn(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined;
  return (JSON.parse(answer) as { payload: { payout_id: string } }).payload.payout_id;
}

const hasRows = ([_, { payouts, importedBefore }]: [string, Total]) => payouts + importedBefore > 0;

export function sumOf(
  balances: readonly BalanceSurvey[],
  of: "payouts" | "importedBefore",
): number {
  return balances.reduce((all, balance) => all + balance[of], 0);
}

const counts = new Intl.NumberFormat("en");

/** Remarks for the user, before the import is confirmed. */
export function remarksOn(balances: readonly BalanceSurvey[]): string[] {
  const importedBefore = sumOf(balances, "importedBefore");
  const remarks = [];
  if (importedBefore > 0) {
    const rows = importedBefore === 1 ? "row was" : "rows were";
    const again = importedBefore === 1 ? "is" : "are";
    remarks.push(
      `${counts.format(importedBefore)} ${rows} imported before and ${again} not paid again. A payout of the same` +
        " amount to the same account needs another reference.",
    );
  }
  if (balances.some(({ short }) => short > 0n)) {
    remarks.push("There is not enough for all: in the order of the file, rows will be refused.");
  }
  return remarks;
}
