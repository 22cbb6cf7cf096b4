// What a file of payouts comes to: for each currency how many and how much, and what there is to pay them with.

import type { Db } from "../db/connect.ts";
import { deleteExpiredAnswers, findKeptAnswers } from "../idempotency/queries.ts";
import { findBalance } from "../ledger/queries.ts";
import type { Row } from "./csv-rows.ts";
import { payoutRequestOf, rowKeys } from "./payout-file.ts";

/** Of one currency: amounts of different ones are never added up. */
export type BalanceSurvey = {
  currency: string;
  payouts: number;
  amount: bigint;
  importedBefore: number;
  available: bigint;
  /** What is missing to pay them all. */
  short: bigint;
};

type Total = Pick<BalanceSurvey, "payouts" | "amount" | "importedBefore">;

export type Survey = {
  add(rows: readonly Row[]): Promise<Surveyed[]>;
  /** In the order of the currencies. */
  end(): Promise<BalanceSurvey[]>;
};

/** Whether a row was imported before, as known for so long as answers are kept. */
export type Surveyed = { row: Row; isImported: boolean };

/** For one pass over the rows, all of them sound. */
export async function startSurvey(db: Db, subaccountId: string): Promise<Survey> {
  const totals = new Map<string, Total>();
  const keyOf = rowKeys();
  // What has expired is as good as new.
  await deleteExpiredAnswers(db, Date.now());

  return {
    async add(rows) {
      const wishes = rows.map(payoutRequestOf);
      const keys = wishes.map((wish) => ({ subaccountId, key: keyOf(wish).key }));
      const known = await db.transaction((tx) => findKeptAnswers(tx, keys));
      for (const [index, { currency, amount }] of wishes.entries()) {
        const sum = totals.get(currency) ?? { payouts: 0, amount: 0n, importedBefore: 0 };
        totals.set(currency, sum);
        if (known[index]) sum.importedBefore += 1;
        else {
          sum.payouts += 1;
          sum.amount += amount;
        }
      }
      return rows.map((row, index) => ({ row, isImported: known[index] !== undefined }));
    },
    end: () =>
      Promise.all(
        [...totals].sort().map(async ([currency, total]) => {
          const available = BigInt((await findBalance(db, { subaccountId, currency })).available);
          const short = total.amount > available ? total.amount - available : 0n;
          return { currency, ...total, available, short };
        }),
      ),
  };
}

export function sumOf(purses: readonly BalanceSurvey[], of: "payouts" | "importedBefore"): number {
  return purses.reduce((all, purse) => all + purse[of], 0);
}

const counts = new Intl.NumberFormat("en");

/** What a person should know before agreeing. */
export function remarksOn(purses: readonly BalanceSurvey[]): string[] {
  const importedBefore = sumOf(purses, "importedBefore");
  const remarks = [];
  if (importedBefore > 0) {
    remarks.push(
      `${counts.format(importedBefore)} rows were imported before and are not paid again. A payout of the same` +
        " amount to the same account needs another reference.",
    );
  }
  if (purses.some(({ short }) => short > 0n)) {
    remarks.push("There is not enough for all: in the order of the file, rows will be refused.");
  }
  return remarks;
}
