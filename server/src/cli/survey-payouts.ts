// The totals of a payout file, for the confirmation.

import { type BalanceSurvey, remarksOn, startSurvey, sumOf } from "../imports/payout-survey.ts";
import { format } from "../money.ts";
import type { CommandContext } from "./command-context.ts";
import { type FileFormat, readFileRows } from "./file-rows.ts";
import type { ImportSurvey, SurveyRequest } from "./import-file.ts";
import type { Shown } from "./output.ts";
import { count, Progress } from "./progress.ts";

export async function surveyPayouts(
  { db, subaccountId }: CommandContext,
  fileFormat: FileFormat,
  { path, rows: total, interrupted }: SurveyRequest,
): Promise<ImportSurvey> {
  const progress = new Progress({ what: "adding up", total });
  const survey = await startSurvey(db, subaccountId);
  let done = 0;
  for await (const { rows } of readFileRows(path, fileFormat)) {
    await survey.add(rows);
    done += rows.length;
    progress.at(done, done / total);
    if (interrupted.aborted) break;
  }
  progress.end(done);
  const balances = await survey.end();
  return {
    toCreate: sumOf(balances, "payouts"),
    totals: balances.map(inMinorUnits),
    totalsInWords: balances.map(inWords),
    remarks: remarksOn(balances),
  };
}

function inMinorUnits({
  currency,
  payouts,
  amount,
  available,
  short,
  importedBefore,
}: BalanceSurvey): Shown {
  return {
    currency,
    payouts,
    amount: amount.toString(),
    available: available.toString(),
    short: short.toString(),
    imported_before: importedBefore,
  };
}

function inWords({
  currency,
  payouts,
  amount,
  available,
  short,
  importedBefore,
}: BalanceSurvey): Shown {
  return {
    currency,
    payouts: count(payouts),
    amount: format(amount, currency),
    available: format(available, currency),
    short: short > 0n ? format(short, currency) : "",
    imported_before: importedBefore > 0 ? count(importedBefore) : "",
  };
}
