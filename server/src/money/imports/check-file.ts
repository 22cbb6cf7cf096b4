// Checks a whole file of payouts before any is created: the form of each row, whom it pays, duplicates in the file, and the
// rules that the API would apply now.

import type { Mode } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
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
import { importLimits } from "./import-limits.ts";
import { type Row, type RowProblem, readRows } from "./import-rows.ts";
import { type NewPayees, newPayeesOf, type RowOfNewPayee } from "./new-payees.ts";
import { type GivenFile, openFile, type ReadingOfFile } from "./opened-file.ts";
import { type FindParts, findPayees } from "./payee-find.ts";
import { type PayoutPreviewRow, previewPayees } from "./payee-preview.ts";
import { duplicateCheck, payeesFormat, payoutRequestOf } from "./payout-file.ts";
import { type BalanceSurvey, startSurvey } from "./payout-survey.ts";
import { ProblemFile } from "./problem-file.ts";

export type CheckedFile = ReadingOfFile & {
  rows: number;
  /** The first ones. */
  problems: RowProblem[];
  problemCount: number;
  /** How many rows have problems. */
  wrongRows: number;
  /** Those rows as CSV, with a column that names their problems. Empty if there are none. */
  problemFile: string;
  balances: BalanceSurvey[];
  /** Who the first rows pay. */
  preview: PayoutPreviewRow[];
  /** The rows without problems, also those that were imported before. */
  toCreate: Row[];
  /** What would be created first, for rows that are paid later. */
  newPayees: Pick<NewPayees, "receivers" | "accounts">;
  waiting: {
    count: number;
    /** By currency. */
    totals: Map<string, bigint>;
    /** The first ones. */
    rows: RowOfNewPayee[];
    /** All of them, as they were read. */
    toKeep: Row[];
    /** All of them as CSV. Empty if there are none. */
    file: string;
  };
};

export type CheckParts = FindParts & { db: Db; seal: Seal; rails: RailDirectory };
type FileOf = GivenFile & { subaccountId: string; mode: Mode };

export function checkFile(parts: CheckParts, file: FileOf): Promise<CheckedFile> {
  const { subaccountId, mode } = file;
  const kind = { subaccountId, kind: "payouts", format: payeesFormat } as const;
  return openFile(parts.db, file, kind, async ({ sheet, plan, ...reading }) => {
    const newPayees = newPayeesOf(parts, subaccountId);
    const waiting: CheckedFile["waiting"] = {
      count: 0,
      totals: new Map(),
      rows: [],
      toKeep: [],
      file: "",
    };
    const checked: CheckedFile = {
      ...reading,
      rows: sheet.count,
      problems: [],
      problemCount: 0,
      wrongRows: 0,
      problemFile: "",
      balances: [],
      preview: [],
      toCreate: [],
      newPayees,
      waiting,
    };
    // Without its columns no row can be read.
    if (reading.missing.length > 0) return checked;
    const wrong = new ProblemFile(sheet.header);
    const waitingFile = new ProblemFile(sheet.header);
    const shown: Row[] = [];
    /** By row: the payouts of those that were imported before. */
    const payoutIds = new Map<number, string>();
    const duplicatesOf = duplicateCheck();
    const survey = await startSurvey(parts.db, subaccountId);
    const checker = await rowChecker(parts, { subaccountId, mode });
    const wait = (row: Row, one: RowOfNewPayee) => {
      const { amount, currency, needs } = one;
      waiting.count += 1;
      waiting.totals.set(currency, (waiting.totals.get(currency) ?? 0n) + amount);
      if (waiting.rows.length < importLimits.previewMax) waiting.rows.push(one);
      const message = waitsFor[needs];
      waitingFile.add(row, [{ row: row.number, column: "", code: "", message }]);
    };
    const note = (row: Row, problems: readonly RowProblem[]) => {
      if (problems.length === 0) return;
      wrong.add(row, problems);
      checked.wrongRows += 1;
      checked.problemCount += problems.length;
      const room = limits.importProblemsMax - checked.problems.length;
      checked.problems.push(...problems.slice(0, room));
    };
    for await (const { rows } of readRows(sheet, payeesFormat, plan)) {
      const found = new Map<number, RowProblem[]>();
      const named: Row[] = [];
      const all = await findPayees(parts, subaccountId, rows);
      for (const [index, one] of (await newPayees.find(all)).entries()) {
        const row = all[index] as Row;
        if (one === undefined || Array.isArray(one)) {
          named.push(one ? { ...row, problems: one } : row);
          continue;
        }
        wait(row, one);
        waiting.toKeep.push({ ...(rows[index] as Row), cells: [] });
      }
      const valid = named.filter((row) => {
        const problems = [...row.problems, ...duplicatesOf(row)];
        found.set(row.number, problems);
        return problems.length === 0;
      });
      const surveyed = await survey.add(valid);
      for (const { row, isPaidElsewhere } of surveyed) {
        if (isPaidElsewhere) found.set(row.number, [paidElsewhere(row)]);
      }
      const isFresh = (one: (typeof surveyed)[number]) => !one.importedAs && !one.isPaidElsewhere;
      const fresh = surveyed.filter(isFresh).map(({ row }) => row);
      for (const problem of await checker.check(fresh)) found.set(problem.row, [problem]);
      survey.leaveOut(fresh.filter(({ number }) => found.get(number)?.length));
      const isPending = ({ number }: Row) => checker.pending.has(number);
      for (const row of named) if (!isPending(row)) note(row, found.get(row.number) ?? []);
      const pending = fresh.filter(isPending);
      const payees =
        pending.length === 0 ? [] : await previewPayees(parts.db, subaccountId, pending);
      for (const [index, { receiver: name, ...payee }] of payees.entries()) {
        const row = pending[index] as Row;
        const email = row.payee?.receiver_email ?? "";
        wait(row, { ...payee, name, email, needs: "identity_check", remarks: [] });
        waiting.toKeep.push({ ...row, cells: [] });
      }
      const isGood = ({ number }: Row) => found.get(number)?.length === 0;
      for (const { row, importedAs } of surveyed) {
        if (!isGood(row)) continue;
        checked.toCreate.push({ ...row, cells: [] });
        if (shown.length >= importLimits.previewMax) continue;
        shown.push(row);
        if (importedAs) payoutIds.set(row.number, importedAs);
      }
    }
    checked.problems.sort((one, other) => one.row - other.row);
    waiting.rows.sort((one, other) => one.row - other.row);
    const preview = await previewPayees(parts.db, subaccountId, shown, payoutIds);
    const balances = await survey.end(checker.fees);
    waiting.file = waitingFile.text();
    return { ...checked, preview, problemFile: wrong.text(), balances };
  });
}

const waitsFor: Record<RowOfNewPayee["needs"], string> = {
  receiver: "Paid later: new receiver, who needs an identity check, and new account",
  account: "Paid later: new account, which waits for approval",
  account_waits: "Paid later: the account waits for approval",
  identity_check: "Paid later: the receiver waits for the identity check",
};

function paidElsewhere({ number }: Row): RowProblem {
  return {
    row: number,
    column: "account_id",
    code: "",
    message: "This row was imported before, and paid to another account of the receiver",
    cure: "To pay again, name the account, or write another reference",
  };
}

type RowChecker = {
  check(rows: readonly Row[]): Promise<RowProblem[]>;
  /** The numbers of the rows with the problem that the receiver's identity check is not completed. */
  pending: ReadonlySet<number>;
  /** By currency, what the payouts cost on top of their amounts. */
  fees: ReadonlyMap<string, bigint>;
};

/** Enough for any payout and its fee. */
const fundsMax = 4n * limits.amountMax;

/** For one pass: why each row would be refused. Funds are left out, because they are checked for the file as a whole. */
async function rowChecker(
  { db, rails }: CheckParts,
  { subaccountId, mode }: Pick<FileOf, "subaccountId" | "mode">,
): Promise<RowChecker> {
  const fees = new Map<string, bigint>();
  const pending = new Set<number>();
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
    const { receiver, account } = context;
    const isOwn = account?.receiverId === request.receiverId && account.status === "active";
    if (isOwn && receiver?.kycStatus === "pending" && code === "PAYO221") pending.add(row.number);
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
  return { check, fees, pending };
}
