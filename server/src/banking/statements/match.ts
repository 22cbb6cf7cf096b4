// Matches debits of a statement with the payouts and bank batches that they paid: by our reference, and then where exactly
// one open item fits account, amount and day.

import { addBankingDays, addDays } from "../../../../packages/bank-formats/src/calendars/index.ts";
import type { StatementLine } from "../../../../packages/bank-formats/src/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type BankConnection, bankFormats } from "../connections/index.ts";
import { accountKey } from "../files/index.ts";
import { inPages, inTurns } from "./in-turns.ts";
import { idsIn } from "./line-facts.ts";
import {
  type BatchToMatch,
  findSentBatches,
  findSentPayouts,
  findSentPayoutsTo,
  listSentBatches,
  type MatchRow,
  type SentPayout,
} from "./match-queries.ts";
import { newMatch } from "./new-match.ts";
import { countOpenLike, type StatementLineRow } from "./queries.ts";
import type { StatementRuleName } from "./rules.ts";

export type Matching = {
  tx: Tx;
  seal: Seal;
  connection: Pick<BankConnection, "id" | "calendar" | "row">;
  /** What lines of this file have paid: the database does not know it yet. */
  paid: { payouts: Set<string>; batches: Map<string, bigint> };
};

/** A debit that is not matched yet. */
export type OpenDebit = { row: StatementLineRow; accountKey: string };

/** By our own reference. The function returns undefined where none is intact. */
export async function matchByReference(
  { tx, connection, paid }: Matching,
  debits: readonly StatementLine[],
): Promise<(line: StatementLine, lineId: string) => MatchRow | undefined> {
  const idsOf = new Map(debits.map((line) => [line, idsIn(line)]));
  const ids = [...new Set([...idsOf.values()].flat())];
  const payouts = ids.length === 0 ? [] : await findSentPayouts(tx, ids);
  const named = new Set(payouts.map(({ payout_id }) => payout_id));
  const others = ids.filter((id) => !named.has(id));
  const batches = others.length === 0 ? [] : await findSentBatches(tx, others);
  const payoutOf = new Map(payouts.map((payout) => [payout.payout_id, payout]));
  const batchOf = new Map(batches.map((batch) => [batch.id, batch]));
  return (line, lineId) => {
    const given = idsOf.get(line) ?? [];
    const found = given.flatMap((id) => payoutOf.get(id) ?? []);
    const [payout] = found;
    if (payout && found.length === 1) {
      if (!isPaidBy(line, payout) || payout.connection_id !== connection.id) return undefined;
      if (payout.is_matched || paid.payouts.has(payout.payout_id)) return undefined;
      paid.payouts.add(payout.payout_id);
      return payoutMatch(line, lineId, payout, "payout_reference");
    }
    const inFiles = given.flatMap((id) => batchOf.get(id) ?? []);
    const [batch] = inFiles;
    if (!batch || inFiles.length > 1 || found.length > 0) return undefined;
    if (batch.connection_id !== connection.id || batch.currency !== line.currency) return undefined;
    if (!isBatchPaidBy(line, batch, paid.batches)) return undefined;
    paid.batches.set(batch.id, -line.amount);
    return batchMatch(line, lineId, batch, "batch_reference");
  };
}

type Movement = { amount: bigint; currency: string };

function isPaidBy({ amount, currency }: Movement, payout: SentPayout): boolean {
  return -amount === BigInt(payout.amount) && currency === payout.currency;
}

function isBatchPaidBy(
  { amount }: Movement,
  batch: BatchToMatch,
  paid: ReadonlyMap<string, bigint>,
): boolean {
  if (batch.matched !== "0" || paid.has(batch.id)) return false;
  return debitsOf(batch).includes(amount);
}

/** A bank debits the whole file, or leaves out what it rejects. */
function debitsOf({ total, rejected }: BatchToMatch): bigint[] {
  return [-BigInt(total), BigInt(rejected) - BigInt(total)];
}

const reasons = {
  payout_reference: "the bank names the payout, and the amount is the same",
  batch_reference: "the bank names the file, and the total is the same",
  batch_total: "the only open file with this total on this day",
  payout_account: "the only open payout to this account with this amount on this day",
} as const satisfies Partial<Record<StatementRuleName, string>>;
type DebitRule = keyof typeof reasons;

function payoutMatch(
  { amount }: Movement,
  lineId: string,
  { subaccount_id: subaccountId, payout_id: payoutId, batch_id: batchId }: SentPayout,
  rule: DebitRule,
): MatchRow {
  const about = { lineId, amount, batchId, subaccountId, payoutId };
  return newMatch({ ...about, kind: "payout", rule, reason: reasons[rule] });
}

function batchMatch(
  { amount }: Movement,
  lineId: string,
  { id: batchId }: BatchToMatch,
  rule: DebitRule,
): MatchRow {
  return newMatch({ lineId, amount, batchId, kind: "batch", rule, reason: reasons[rule] });
}

export function accountKeyOf({ seal, connection }: Matching, line: StatementLine): string {
  const { partyAccount, amount } = line;
  return partyAccount === ""
    ? ""
    : accountKey(seal, connection.id, { accountNumber: partyAccount, amount: -amount });
}

/** After all lines of the file that carry a reference, so that what is left is open. */
export async function matchByFit(
  matching: Matching,
  debits: readonly OpenDebit[],
): Promise<MatchRow[]> {
  const matches = await matchBatchesByTotal(matching, debits);
  const matched = new Set(matches.map(({ line_id }) => line_id));
  const rest = debits.filter(({ row, accountKey }) => accountKey !== "" && !matched.has(row.id));
  const linesOf = await countBy(rest, destinationOf);
  for (const page of inPages(rest)) {
    matches.push(...(await matchPayoutsByAccount(matching, linesOf, page)));
  }
  return matches;
}

async function countBy(
  debits: readonly OpenDebit[],
  keyOf: (debit: OpenDebit) => string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const debit of inTurns(debits)) {
    counts.set(keyOf(debit), (counts.get(keyOf(debit)) ?? 0) + 1);
  }
  return counts;
}

const destinationOf = ({ accountKey, row }: OpenDebit) => `${accountKey} ${row.day}`;

/** On which the bank may debit a file, the first one first. */
function debitDaysOf({ calendar, row }: Matching["connection"], processDate: string): string[] {
  const { debitDays = 0 } = bankFormats.get(row.format) ?? {};
  const last = addBankingDays(calendar, processDate, debitDays);
  const days = [processDate];
  for (let day = processDate; day < last; days.push(day)) day = addDays(day, 1);
  return days;
}

/** The longest that lies between a file and its debit: a banking day after a long weekend. */
const debitDaysMax = 10;

type LinePlace = Pick<StatementLineRow, "amount" | "day">;
const placeOf = ({ amount, day }: LinePlace) => `${amount} ${day}`;

async function matchBatchesByTotal(
  { tx, connection, paid }: Matching,
  debits: readonly OpenDebit[],
): Promise<MatchRow[]> {
  const [first] = debits;
  if (!first) return [];
  let fromDay = first.row.day;
  let toDay = fromDay;
  for (const { row } of debits) {
    if (row.day < fromDay) fromDay = row.day;
    if (row.day > toDay) toDay = row.day;
  }
  const span = { fromDay: addDays(fromDay, -debitDaysMax), toDay };
  const batches = await listSentBatches(tx, { connectionId: connection.id, ...span });
  // Where there may be more, none is known to be the only one.
  if (batches.length >= limits.bankBatchesListedMax) return [];
  if (batches.length === 0) return [];
  const linesAt = await countBy(debits, ({ row }) => placeOf(row));
  const daysOf = new Map(
    batches.map(({ id, process_date }) => [id, debitDaysOf(connection, process_date)]),
  );
  const fitting: { row: StatementLineRow; batch: BatchToMatch; places: LinePlace[] }[] = [];
  const totals = new Set(batches.flatMap(debitsOf).map(String));
  for (const { row } of debits) {
    if (!totals.has(row.amount) || linesAt.get(placeOf(row)) !== 1) continue;
    const movement = { amount: BigInt(row.amount), currency: row.currency };
    const found = batches.filter(
      (batch) =>
        daysOf.get(batch.id)?.includes(row.day) &&
        batch.currency === row.currency &&
        isBatchPaidBy(movement, batch, paid.batches),
    );
    const [only] = found;
    if (!only || found.length > 1) continue;
    const places = (daysOf.get(only.id) ?? []).map((day) => ({ amount: row.amount, day }));
    const alike = places.reduce((sum, place) => sum + (linesAt.get(placeOf(place)) ?? 0), 0);
    if (alike === 1) fitting.push({ row, batch: only, places });
  }
  const alike = await countOpenLike(
    tx,
    connection.id,
    fitting.flatMap(({ places }) => places),
  );
  return fitting.flatMap(({ row, batch, places }) => {
    // A line of an earlier file may be the one.
    const open = places.reduce((sum, place) => sum + (alike.get(placeOf(place)) ?? 0), 0);
    if (open > 1 || paid.batches.has(batch.id)) return [];
    const movement = { amount: BigInt(row.amount), currency: row.currency };
    paid.batches.set(batch.id, -movement.amount);
    return [batchMatch(movement, row.id, batch, "batch_total")];
  });
}

function isPaidOn(
  connection: Matching["connection"],
  { process_date }: SentPayout,
  { day, value_day }: StatementLineRow,
): boolean {
  const days = debitDaysOf(connection, process_date);
  return days.includes(day) || days.includes(value_day);
}

async function matchPayoutsByAccount(
  { tx, connection, paid }: Matching,
  linesOf: ReadonlyMap<string, number>,
  page: readonly OpenDebit[],
): Promise<MatchRow[]> {
  const keys = [...new Set(page.map((debit) => debit.accountKey))];
  const payouts = Map.groupBy(await findSentPayoutsTo(tx, keys), (payout) => payout.account_key);
  return page.flatMap((debit) => {
    const { accountKey, row } = debit;
    const movement = { amount: BigInt(row.amount), currency: row.currency };
    const found = (payouts.get(accountKey) ?? []).filter(
      (payout) =>
        payout.connection_id === connection.id &&
        isPaidBy(movement, payout) &&
        isPaidOn(connection, payout, row) &&
        !payout.is_matched &&
        !paid.payouts.has(payout.payout_id),
    );
    const [only] = found;
    const isOnlyLine = linesOf.get(destinationOf(debit)) === 1;
    if (!only || found.length > 1 || !isOnlyLine || paid.batches.has(only.batch_id)) return [];
    paid.payouts.add(only.payout_id);
    return [payoutMatch(movement, row.id, only, "payout_account")];
  });
}
