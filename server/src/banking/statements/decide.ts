// A user decides about statement lines: which payouts or files they paid, or that they are the company's own money; and
// undoes a match, by a new entry.

import { postTransfers } from "../../money/ledger/index.ts";
import { type Mode, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { bookCompany, type CompanyBooking, internalSubaccountIds } from "../answers/index.ts";
import { type ConnectionRow, lockConnection, railIdOf } from "../connections/index.ts";
import {
  findSentBatches,
  findSentPayouts,
  insertMatches,
  listMatches,
  listMatchesOfActs,
  type MatchRow,
  markMatchesUndone,
  type StoredMatch,
} from "./match-queries.ts";
import { newMatch } from "./new-match.ts";
import {
  addRepeated,
  findLine,
  lockLine,
  type StatementLineRow,
  setLineStatus,
} from "./queries.ts";
import { suspendLine } from "./suspend-line.ts";

/** Who decides, and why. */
export type LineDecision = {
  lineIds: readonly string[];
  reason: string;
  who: string;
  atMs: number;
};

type Locked = { lines: StatementLineRow[]; connectionId: string; mode: Mode };

/** Under the lock of their connection, as files are applied. */
async function lockLines(tx: Tx, ids: readonly string[]): Promise<Locked> {
  const [firstId] = ids;
  const first = firstId === undefined ? undefined : await findLine(tx, firstId);
  if (!first) throw new Refusal("BANK471");
  const { mode } = (await lockConnection(tx, first.connection_id)) as ConnectionRow;
  const lines: StatementLineRow[] = [];
  for (const id of [...new Set(ids)].sort()) {
    const line = await lockLine(tx, id);
    if (line?.connection_id !== first.connection_id) throw new Refusal("BANK471");
    lines.push(line);
  }
  return { lines, connectionId: first.connection_id, mode };
}

async function lockOpen(tx: Tx, ids: readonly string[]): Promise<Locked> {
  const locked = await lockLines(tx, ids);
  if (locked.lines.some(({ status }) => status !== "open")) throw new Refusal("BANK472");
  return locked;
}

type LineFactsToDecide = {
  connectionId: string;
  mode: Mode;
  currency: string;
  amount: bigint;
  /** Whose balance a line has funded. */
  subaccountId: string | undefined;
  state: string;
};

/** What a decision about lines moves. `state` is another one where anything else was decided meanwhile. */
export async function factsOfLines(
  tx: Tx,
  lineIds: readonly string[],
  act: "match" | "company" | "repetition" | "undo",
): Promise<LineFactsToDecide> {
  const { lines, connectionId, mode } = await lockLines(tx, lineIds);
  const matches = act === "undo" ? await liveMatches(tx, lineIds[0] as string) : [];
  // Matching says what a debit paid. A credit that repeats no other goes to suspense. Neither gives money to a subaccount.
  const moved = {
    match: [],
    repetition: [],
    company: lines,
    undo: matches.filter(({ kind }) => kind === "fund" || kind === "company"),
  }[act];
  const sizes = moved.map(({ amount }) => BigInt(amount)).map((one) => (one < 0n ? -one : one));
  return {
    connectionId,
    mode,
    currency: lines[0]?.currency ?? "",
    amount: sizes.reduce((sum, one) => sum + one, 0n),
    subaccountId: matches.find(({ kind }) => kind === "fund")?.subaccount_id ?? undefined,
    state: [
      ...lines.map(({ id, status }) => `${id} ${status}`),
      ...matches.map(({ id }) => id).sort(),
    ].join(", "),
  };
}

/** Everything that was matched together with the line. */
async function liveMatches(tx: Tx, lineId: string): Promise<StoredMatch[]> {
  const live = (await listMatches(tx, lineId)).filter(isLive);
  return listMatchesOfActs(tx, [...new Set(live.map(({ act_id }) => act_id))]);
}

export type MatchTargets = { payoutIds: readonly string[]; batchIds: readonly string[] };

type Target = { amount: bigint; batchId: string; subaccountId?: string; payoutId?: string };

/** Several lines may have paid one file, and one line several: together they must come to the same amount. */
export async function matchLines(
  tx: Tx,
  targets: MatchTargets,
  { lineIds, reason, who, atMs }: LineDecision,
): Promise<void> {
  const { lines, connectionId } = await lockOpen(tx, lineIds);
  const actId = newId();
  const found = await findTargets(tx, connectionId, targets);
  const sumOf = (amounts: bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);
  const paid = -sumOf(lines.map(({ amount }) => BigInt(amount)));
  if (found.length === 0 || paid !== sumOf(found.map(({ amount }) => amount))) {
    throw new Refusal("BANK474");
  }
  const parts = allot(lines, found);
  const payoutIds = parts.flatMap(({ target }) => target.payoutId ?? []);
  // One line pays a payout: a bank does not book a payment in parts.
  if (new Set(payoutIds).size < payoutIds.length) throw new Refusal("BANK474");
  const matches = parts.map(({ line, target, amount }) =>
    newMatch({
      ...target,
      lineId: line.id,
      actId,
      kind: target.payoutId === undefined ? "batch" : "payout",
      rule: "by_user",
      reason,
      amount: -amount,
    }),
  );
  await insertMatches(tx, matches, { connectionId, who, atMs });
  await setLineStatus(
    tx,
    lines.map(({ id }) => id),
    "matched",
  );
}

async function findTargets(
  tx: Tx,
  connectionId: string,
  { payoutIds, batchIds }: MatchTargets,
): Promise<Target[]> {
  const payouts = payoutIds.length === 0 ? [] : await findSentPayouts(tx, [...new Set(payoutIds)]);
  const batches = batchIds.length === 0 ? [] : await findSentBatches(tx, [...new Set(batchIds)]);
  const isOther = (one: { connection_id: string }) => one.connection_id !== connectionId;
  const count = new Set([...payoutIds, ...batchIds]).size;
  const isUnknown = payouts.length + batches.length !== count;
  if (isUnknown || payouts.some(isOther) || batches.some(isOther)) throw new Refusal("BANK473");
  if (payouts.some(({ is_matched }) => is_matched)) throw new Refusal("BANK475");
  const sumOfPayouts = (batchId: string) =>
    payouts.reduce((sum, one) => (one.batch_id === batchId ? sum + BigInt(one.amount) : sum), 0n);
  // A payout that is given beside its batch is paid once.
  const left = ({ id, total, rejected, matched }: (typeof batches)[number]) =>
    BigInt(total) - BigInt(rejected) - BigInt(matched) - sumOfPayouts(id);
  if (batches.some((batch) => left(batch) <= 0n)) throw new Refusal("BANK475");
  return [
    ...payouts.map(({ amount, batch_id, subaccount_id, payout_id }) => ({
      amount: BigInt(amount),
      batchId: batch_id,
      subaccountId: subaccount_id,
      payoutId: payout_id,
    })),
    ...batches.map((batch) => ({ amount: left(batch), batchId: batch.id })),
  ];
}

/** Gives each target its amount, from the first line that has some left. */
function allot(lines: readonly StatementLineRow[], targets: readonly Target[]) {
  const parts: { line: StatementLineRow; target: Target; amount: bigint }[] = [];
  // Smallest first, so that equal amounts meet.
  const queue = lines
    .map((line) => ({ line, left: -BigInt(line.amount) }))
    .sort((one, other) => compare(one.left, other.left));
  for (const target of targets.toSorted((one, other) => compare(one.amount, other.amount))) {
    for (let wanted = target.amount; wanted > 0n; ) {
      const [next] = queue;
      if (!next) throw new Refusal("BANK474");
      const amount = next.left < wanted ? next.left : wanted;
      parts.push({ line: next.line, target, amount });
      next.left -= amount;
      wanted -= amount;
      if (next.left === 0n) queue.shift();
    }
  }
  return parts;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What the bank charges, or what the company put in or took out for itself. */
export async function giveLinesToCompany(
  tx: Tx,
  { lineIds, reason, who, atMs }: LineDecision,
): Promise<void> {
  const { lines, connectionId, mode } = await lockOpen(tx, lineIds);
  const actId = newId();
  const booked = lines.map((line) => ({ line, transferId: newId() }));
  await bookCompany(
    tx,
    booked.map(({ line, transferId }) => ({
      id: transferId,
      amount: BigInt(line.amount),
      currency: line.currency,
      reference: line.id,
    })),
    { connectionId, mode, who, atMs },
  );
  const matches = booked.map(({ line, transferId }) =>
    newMatch({
      lineId: line.id,
      actId,
      kind: "company",
      rule: "by_user",
      reason,
      amount: BigInt(line.amount),
      subaccountId: internalSubaccountIds[mode],
      transferId,
    }),
  );
  await insertMatches(tx, matches, { connectionId, who, atMs });
  await setLineStatus(
    tx,
    lines.map(({ id }) => id),
    "matched",
  );
}

/**
 * Whether lines that may repeat others do. A line that does not is taken as any other: a debit is open, and a credit waits in
 * suspense, where it is given to whom it belongs.
 */
export async function decideRepetition(
  tx: Tx,
  { isRepeated }: { isRepeated: boolean },
  { lineIds, who, atMs }: LineDecision,
): Promise<void> {
  const { lines, connectionId, mode } = await lockLines(tx, lineIds);
  if (lines.some(({ status }) => status !== "doubtful")) throw new Refusal("BANK478");
  for (const line of lines) {
    if (isRepeated) {
      await setLineStatus(tx, [line.id], "repeated");
      await addRepeated(tx, line.statement_id, 1);
    } else if (BigInt(line.amount) < 0n) await setLineStatus(tx, [line.id], "open");
    else await suspendLine(tx, line, { connectionId, mode, who, atMs });
  }
}

/** All that was matched together is open again; a credit that funded a subaccount waits in suspense. */
export async function undoLine(
  tx: Tx,
  lineId: string,
  { reason, who, atMs }: Omit<LineDecision, "lineIds">,
): Promise<void> {
  const { lines, connectionId, mode } = await lockLines(tx, [lineId]);
  const [line] = lines as [StatementLineRow];
  if (line.status === "repeated") {
    await setLineStatus(tx, [line.id], "doubtful");
    return addRepeated(tx, line.statement_id, -1);
  }
  if (line.status !== "matched") throw new Refusal("BANK476");
  const matches = await liveMatches(tx, lineId);
  if (matches.length === 0) throw new Refusal("BANK476");
  // The report of the return is undone where it was decided.
  if (matches.some(({ kind }) => kind === "return")) throw new Refusal("BANK477");
  const booking = { connectionId, mode, who, atMs };
  await markMatchesUndone(
    tx,
    matches.map(({ id }) => id),
  );
  const undoing = matches.map((match) => undoOf(match, reason));
  await insertMatches(tx, undoing, booking);
  await unbookCompany(tx, matches, line.currency, booking);
  const ids = [...new Set(matches.map(({ line_id }) => line_id))];
  const funded = matches.filter(({ kind }) => kind === "fund");
  for (const match of funded) await unfund(tx, line, match, booking);
  await setLineStatus(tx, ids, "open");
  if (funded.length > 0) await suspendLine(tx, line, booking);
}

function isLive({ is_undone, kind }: StoredMatch): boolean {
  return !is_undone && kind !== "undo";
}

function undoOf(match: StoredMatch, reason: string): MatchRow {
  return newMatch({
    lineId: match.line_id,
    kind: "undo",
    rule: "by_user",
    reason,
    amount: -BigInt(match.amount),
    batchId: match.batch_id,
    subaccountId: match.subaccount_id,
    payoutId: match.payout_id,
    undoesId: match.id,
  });
}

async function unbookCompany(
  tx: Tx,
  matches: readonly StoredMatch[],
  currency: string,
  booking: CompanyBooking,
): Promise<void> {
  const booked = matches.filter(({ kind }) => kind === "company");
  const money = booked.map(({ amount, line_id }) => ({
    id: newId(),
    amount: -BigInt(amount),
    currency,
    reference: line_id,
  }));
  await bookCompany(tx, money, booking);
}

/** The subaccount gives it back. Money that was paid out meanwhile can't be taken. */
async function unfund(
  tx: Tx,
  { currency, id: lineId }: StatementLineRow,
  { subaccount_id, transfer_id, amount }: StoredMatch,
  { connectionId, who, atMs }: CompanyBooking,
): Promise<void> {
  if (subaccount_id === null || transfer_id === null) throw new Refusal("BANK476");
  await postTransfers(tx, [
    {
      id: newId(),
      kind: "reversal",
      subaccountId: subaccount_id,
      currency,
      amount: BigInt(amount),
      reversesId: transfer_id,
      rail: railIdOf(connectionId),
      reference: lineId,
      atMs,
      who,
    },
  ]);
}
