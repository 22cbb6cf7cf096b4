// Checks a whole file of payouts before any is created: the form of each row, duplicates in the file, and the rules
// that the API would apply now.

import type { Mode } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  dayOf,
  findPayoutContexts,
  listPayoutBalances,
  noBalance,
  type OpenRoute,
  type PayoutContext,
  type PayoutRequest,
  refusalOf,
  routeOf,
  spentToday,
  toPayoutRefusal,
} from "../payouts/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { type Row, type RowProblem, type Rows, readRows } from "./csv-rows.ts";
import { chunksOf } from "./file-text.ts";
import { importLimits } from "./import-limits.ts";
import { type PayoutPreviewRow, previewPayees } from "./payee-preview.ts";
import { duplicateCheck, payoutFormat, payoutRequestOf } from "./payout-file.ts";
import { type BalanceSurvey, startSurvey } from "./payout-survey.ts";

export type CheckedFile = {
  rows: number;
  /** The first ones. */
  problems: RowProblem[];
  problemCount: number;
  balances: BalanceSurvey[];
  /** Who the first rows pay. Empty while there are problems. */
  preview: PayoutPreviewRow[];
};

export type CheckParts = { db: Db; rails: RailDirectory };
type FileOf = { subaccountId: string; mode: Mode; csv: string };

export function rowsOf(csv: string): AsyncGenerator<Rows> {
  return readRows(chunksOf(csv), payoutFormat);
}

export async function checkFile(
  { db, rails }: CheckParts,
  { subaccountId, mode, csv }: FileOf,
): Promise<CheckedFile> {
  const checked: CheckedFile = {
    rows: 0,
    problems: [],
    problemCount: 0,
    balances: [],
    preview: [],
  };
  const shown: Row[] = [];
  const note = (problem: RowProblem) => {
    checked.problemCount += 1;
    if (checked.problems.length < limits.importProblemsMax) checked.problems.push(problem);
  };
  const duplicatesOf = duplicateCheck();
  const survey = await startSurvey(db, subaccountId);
  const checker = await rowChecker({ db, rails }, { subaccountId, mode });
  for await (const { rows } of rowsOf(csv)) {
    checked.rows += rows.length;
    const valid = rows.filter((row) => {
      const problems = [...row.problems, ...duplicatesOf(row)];
      problems.forEach(note);
      return problems.length === 0;
    });
    const surveyed = await survey.add(valid);
    const fresh = surveyed.filter(({ isImported }) => !isImported).map(({ row }) => row);
    (await checker.check(fresh)).forEach(note);
    shown.push(...fresh.slice(0, importLimits.previewMax - shown.length));
  }
  checked.problems.sort((one, other) => one.row - other.row);
  const preview = checked.problemCount > 0 ? [] : await previewPayees(db, subaccountId, shown);
  return { ...checked, preview, balances: await survey.end(checker.fees) };
}

type RowChecker = {
  check(rows: readonly Row[]): Promise<RowProblem[]>;
  /** By currency, what the payouts cost on top of their amounts. */
  fees: ReadonlyMap<string, bigint>;
};

/** Enough for any payout and its fee. */
const fundsMax = 4n * limits.amountMax;

/** For one pass: why each row would be refused. Funds are left out, because they are checked for the file as a whole. */
async function rowChecker(
  { db, rails }: CheckParts,
  { subaccountId, mode }: Omit<FileOf, "csv">,
): Promise<RowChecker> {
  const fees = new Map<string, bigint>();
  const balances = await listPayoutBalances(db, subaccountId);
  const nowMs = Date.now();
  const day = dayOf(nowMs);

  function problemOf(row: Row, request: PayoutRequest, context: PayoutContext): RowProblem[] {
    const { currency, amount } = request;
    const route = routeOf(rails, { mode, subaccountId }, request, context);
    const known = balances.get(currency) ?? noBalance;
    const balance = { ...known, available: fundsMax };
    const refused = refusalOf({ request, context, balance, route, day, nowMs });
    if (!refused) {
      const { charge } = route as OpenRoute;
      balances.set(currency, spentToday(balance, amount, charge, day));
      fees.set(currency, (fees.get(currency) ?? 0n) + charge.fee + charge.sentAmount - amount);
      return [];
    }
    const country = context.account?.country;
    const outcome = { refused, duplicateOfId: context.duplicateOfId, currency, country };
    const [{ code, message, field = "" }] = toPayoutRefusal(outcome).problems;
    return [{ row: row.number, column: field, code, message }];
  }

  async function check(rows: readonly Row[]): Promise<RowProblem[]> {
    const requests = rows.map(payoutRequestOf);
    const keys = requests.map((request) => ({ subaccountId, mode, ...request }));
    const sinceMs = nowMs - limits.duplicateWindowMs;
    const { contexts } = await findPayoutContexts(db, keys, sinceMs);
    return rows.flatMap((row, index) =>
      problemOf(row, requests[index] as PayoutRequest, contexts[index] as PayoutContext),
    );
  }
  return { check, fees };
}
