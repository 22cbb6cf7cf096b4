// The totals of a payout file, for the confirmation.

import { type BalanceSurvey, remarksOn, startSurvey, sumOf } from "../../money/imports/index.ts";
import { format } from "../../platform/base/index.ts";
import type { CommandContext } from "./command-context.ts";
import type { ImportSurvey, SurveyRequest } from "./import-file.ts";
import type { Shown } from "./output.ts";
import { count, Progress } from "./progress.ts";

export async function surveyPayouts(
  { db, subaccountId }: CommandContext,
  { file, find, rows: total, interrupted }: SurveyRequest,
): Promise<ImportSurvey> {
  const progress = new Progress({ what: "adding up", total });
  const survey = await startSurvey(db, subaccountId);
  let done = 0;
  for await (const { rows } of file.rows()) {
    await survey.add(await find(rows));
    done += rows.length;
    progress.at(done, done / total);
    if (interrupted.aborted) break;
  }
  progress.end(done);
  const balances = await survey.end();
  return {
    toCreate: sumOf(balances, "payouts"),
    amounts: new Map(balances.map(({ currency, amount }) => [currency, amount])),
    totals: balances.map(inMinorUnits),
    totalsInWords: balances.map(inWords),
    remarks: remarksOn(balances),
  };
}

function inMinorUnits({ currency, payouts, ...balance }: BalanceSurvey): Shown {
  return {
    currency,
    payouts,
    amount: balance.amount.toString(),
    available: balance.available.toString(),
    short: balance.short.toString(),
    imported_before: balance.importedBefore,
  };
}

function inWords({ currency, payouts, ...balance }: BalanceSurvey): Shown {
  return {
    currency,
    payouts: count(payouts),
    amount: format(balance.amount, currency),
    available: format(balance.available, currency),
    short: balance.short > 0n ? format(balance.short, currency) : "",
    imported_before: balance.importedBefore > 0 ? count(balance.importedBefore) : "",
  };
}
