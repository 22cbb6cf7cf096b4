// What a file of payouts comes to: for each currency how many and how much, and what there is to pay them with.

import { findBalance } from "../ledger/queries.ts";
import { format } from "../money.ts";
import { deleteExpiredAnswers, findKeptAnswers } from "../requests/queries.ts";
import { readRows } from "./csv-rows.ts";
import type { Survey, SurveyRequest } from "./import-file.ts";
import type { Operator } from "./operator.ts";
import type { Shown } from "./output.ts";
import { payoutFormat, rowKeys, wishOf } from "./payout-file.ts";
import { count, Progress } from "./progress.ts";

type Total = { payouts: number; amount: bigint; importedBefore: number };
type Purse = Total & { currency: string; available: bigint; short: bigint };

/** Amounts of different currencies are never added up. */
export async function surveyPayouts(operator: Operator, asked: SurveyRequest): Promise<Survey> {
  const purses = await Promise.all(
    [...(await totalsOf(operator, asked))].sort().map(async ([currency, total]): Promise<Purse> => {
      const { db, subaccountId } = operator;
      const available = BigInt((await findBalance(db, { subaccountId, currency })).available);
      const short = total.amount > available ? total.amount - available : 0n;
      return { currency, ...total, available, short };
    }),
  );
  const sum = (of: (purse: Purse) => number) => purses.reduce((all, purse) => all + of(purse), 0);
  const importedBefore = sum((purse) => purse.importedBefore);
  const remarks = [];
  if (importedBefore > 0) {
    remarks.push(
      `${count(importedBefore)} rows were imported before and are not paid again. A payout of the same` +
        " amount to the same account needs another reference.",
    );
  }
  if (purses.some(({ short }) => short > 0n)) {
    remarks.push("There is not enough for all: in the order of the file, rows will be refused.");
  }
  return {
    toCreate: sum(({ payouts }) => payouts),
    totals: purses.map(inMinorUnits),
    totalsInWords: purses.map(inWords),
    remarks,
  };
}

async function totalsOf(
  { db, subaccountId }: Operator,
  { path, rows: total, interrupted }: SurveyRequest,
): Promise<Map<string, Total>> {
  const progress = new Progress({ what: "adding up", total });
  const totals = new Map<string, Total>();
  const keyOf = rowKeys();
  let done = 0;
  // What has expired is as good as new.
  await deleteExpiredAnswers(db, Date.now());
  for await (const { rows } of readRows(path, payoutFormat)) {
    const wishes = rows.map(wishOf);
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
    done += rows.length;
    progress.at(done, done / total);
    if (interrupted.aborted) break;
  }
  progress.end(done);
  return totals;
}

function inMinorUnits({
  currency,
  payouts,
  amount,
  available,
  short,
  importedBefore,
}: Purse): Shown {
  return {
    currency,
    payouts,
    amount: amount.toString(),
    available: available.toString(),
    short: short.toString(),
    imported_before: importedBefore,
  };
}

function inWords({ currency, payouts, amount, available, short, importedBefore }: Purse): Shown {
  return {
    currency,
    payouts: count(payouts),
    amount: format(amount, currency),
    available: format(available, currency),
    short: short > 0n ? format(short, currency) : "",
    imported_before: importedBefore > 0 ? count(importedBefore) : "",
  };
}
