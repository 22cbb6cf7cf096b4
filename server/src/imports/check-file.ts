// The check of a whole file of payouts before any is made: each row in its form, beside the others, and as the
// interface would judge it now.

import type { Mode } from "../caller.ts";
import type { Db } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { findPayoutContexts } from "../payouts/context-queries.ts";
import { railRefusal, spentToday, toPayoutRefusal } from "../payouts/create.ts";
import {
  dayOf,
  noBalance,
  type PayoutContext,
  type PayoutRequest,
  refusalOf,
} from "../payouts/payout.ts";
import { listPayoutBalances } from "../payouts/queries.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { type Row, type RowProblem, type Rows, readRows } from "./csv-rows.ts";
import { duplicateCheck, payoutFormat, payoutRequestOf } from "./payout-file.ts";
import { type BalanceSurvey, startSurvey } from "./payout-survey.ts";

export type CheckedFile = {
  rows: number;
  /** The first of them. */
  problems: RowProblem[];
  problemCount: number;
  purses: BalanceSurvey[];
};

export type CheckParts = { db: Db; rails: RailDirectory };
export type FileOf = { subaccountId: string; mode: Mode; csv: string };

export function rowsOf(csv: string): AsyncGenerator<Rows> {
  return readRows(chunksOf(Buffer.from(csv)), payoutFormat);
}

/** As from a disk, so that rows come some hundreds at a time. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += limits.bodyBytesMax) {
    yield bytes.subarray(from, from + limits.bodyBytesMax);
  }
}

export async function checkFile(
  { db, rails }: CheckParts,
  { subaccountId, mode, csv }: FileOf,
): Promise<CheckedFile> {
  const checked: CheckedFile = { rows: 0, problems: [], problemCount: 0, purses: [] };
  const note = (problem: RowProblem) => {
    checked.problemCount += 1;
    if (checked.problems.length < limits.importProblemsMax) checked.problems.push(problem);
  };
  const twinOf = duplicateCheck();
  const survey = await startSurvey(db, subaccountId);
  const judge = await newJudge({ db, rails }, { subaccountId, mode });
  for await (const { rows } of rowsOf(csv)) {
    checked.rows += rows.length;
    const sound = rows.filter((row) => {
      const problems = [...row.problems, ...twinOf(row)];
      problems.forEach(note);
      return problems.length === 0;
    });
    const surveyed = await survey.add(sound);
    const fresh = surveyed.filter(({ isImported }) => !isImported).map(({ row }) => row);
    (await judge(fresh)).forEach(note);
  }
  checked.problems.sort((one, other) => one.row - other.row);
  return { ...checked, purses: await survey.end() };
}

/** For one pass: what would be in the way of each row, but for a lack of funds, which is all the rows' together. */
async function newJudge(
  { db, rails }: CheckParts,
  { subaccountId, mode }: Omit<FileOf, "csv">,
): Promise<(rows: readonly Row[]) => Promise<RowProblem[]>> {
  const purses = await listPayoutBalances(db, subaccountId);
  const nowMs = Date.now();
  const day = dayOf(nowMs);

  function problemOf(row: Row, wish: PayoutRequest, context: PayoutContext): RowProblem[] {
    const { currency } = wish;
    const state = { ...(purses.get(currency) ?? noBalance), available: wish.amount };
    const unfit = (country: string) => railRefusal(rails, mode, wish, country);
    const refused = refusalOf(wish, context, state, { unfit, day });
    if (!refused) {
      purses.set(currency, spentToday(state, wish.amount, day));
      return [];
    }
    const outcome = { refused, twinId: context.twinId, currency };
    const [{ code, message, field = "" }] = toPayoutRefusal(outcome).problems;
    return [{ row: row.number, column: field, code, message }];
  }

  return async (rows) => {
    const wishes = rows.map(payoutRequestOf);
    const keys = wishes.map((wish) => ({ subaccountId, ...wish }));
    const contexts = await findPayoutContexts(db, keys, nowMs - limits.duplicateWindowMs);
    return rows.flatMap((row, index) =>
      problemOf(row, wishes[index] as PayoutRequest, contexts[index] as PayoutContext),
    );
  };
}
