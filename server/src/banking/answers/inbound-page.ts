// Applies a page of reports from a bank: moves payouts, notes what changes nothing, and suspends the rest.

import {
  type FeeKeepingMove,
  type MoveRequest,
  movePayouts,
  type PayoutMove,
  moves as payoutMoves,
  toPayoutMove,
} from "../../money/payouts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { shortHash } from "../files/index.ts";
import {
  causeOf,
  decideInbound,
  type InboundDecision,
  type InboundLine,
  itemTextOf,
  type ReportSource,
} from "../readers/index.ts";
import { type BatchReports, noteBatchReport } from "./inbound-batch.ts";
import { proposeCorrection } from "./inbound-change.ts";
import { isOurs } from "./inbound-connection.ts";
import { type FoundPayout, type InboundMatch, matchInbound } from "./inbound-match.ts";
import {
  findKnownItems,
  type InboundCounts,
  insertInboundLines,
  type LockedPayout,
  listReturnSources,
  type NewInboundLine,
} from "./inbound-queries.ts";
import { type InboundSums, sumOfMove } from "./inbound-sums.ts";
import { type NewSuspense, suspendLines } from "./suspend.ts";

/** A file that is being applied. */
export type InboundRun = {
  tx: Tx;
  seal: Seal;
  connection: BankConnection;
  fileId: string;
  /** Of the lines that are being applied: a file may have statements and notifications. */
  source: ReportSource;
  who: string;
  isFetched: boolean;
  confirmedBy: string;
  atMs: number;
  counts: InboundCounts;
  sums: InboundSums;
  /** How often each item came in this file: a bank may report two equal payments. */
  items: Map<string, number>;
  batches: BatchReports;
  /** The ids of payouts that this file returned. */
  returned: Set<string>;
  /** The last page is being written while the next one is read. */
  written: Promise<void>;
};

/** Returns the lines as they are kept, each with its outcome. */
export async function applyPage(
  run: InboundRun,
  page: readonly InboundLine[],
): Promise<NewInboundLine[]> {
  const { tx, connection, fileId, counts } = run;
  if (page.length === 0) return [];
  const keys = page.map((line) => itemKeyOf(run, line));
  await run.written;
  const known = await findKnownItems(tx, connection.id, keys);
  const fresh = page.filter((_, index) => !known.has(keys[index] as string));
  const matchOf = await matchInbound(run, fresh);
  const moves = new Map<string, PayoutMove>();
  const rows: NewInboundLine[] = [];
  const suspended: NewSuspense[] = [];

  for (const [index, line] of page.entries()) {
    counts.lines += 1;
    const row = newRow(line, counts.lines, run.source);
    rows.push(row);
    const itemKey = keys[index] as string;
    if (known.has(itemKey)) {
      counts.repeated += 1;
      continue;
    }
    row.item_key = itemKey;
    const match: InboundMatch = isOurs(line, connection)
      ? matchOf(line)
      : { payout: undefined, reason: "other_account" };
    if (match.payout) Object.assign(row, placeOf(match));
    const decision = line.isWholeFile
      ? await noteBatchReport(run, line)
      : await decide(run, line, match);
    row.outcome = decision.outcome;
    counts[decision.outcome] += 1;
    if (line.isWholeFile && decision.outcome !== "suspended") row.batch_id = line.batchId;
    if (decision.outcome === "suspended") {
      row.detail = decision.reason;
      suspended.push({ line, row, reason: decision.reason, payout: match.payout });
      const { amount = 0n, currency } = line;
      run.sums.add("suspended", { subaccountId: "", currency, amount });
    } else if (decision.outcome === "noted") {
      row.detail = decision.detail;
    } else {
      row.detail = decision.move;
      if (!match.payout) continue;
      // One statement moves a payout once.
      if (moves.has(match.payout.id)) await moveAll(tx, moves);
      moves.set(match.payout.id, moveOf(run, line, match, decision.move));
    }
  }

  run.written = write();
  // Reported where it is awaited.
  run.written.catch(() => {});
  return rows;

  async function write(): Promise<void> {
    const file = { fileId, connectionId: connection.id };
    await Promise.all([moveAll(tx, moves), insertInboundLines(tx, file, rows)]);
    if (suspended.length > 0) await suspendLines(run, suspended);
  }
}

async function decide(
  run: InboundRun,
  line: InboundLine,
  match: InboundMatch,
): Promise<InboundDecision> {
  const { connection, atMs } = run;
  if (!match.payout) return { outcome: "suspended", reason: match.reason };
  const bank = { rail: connection.rail, confirms: connection.row.success_when === "confirmed" };
  const isSecondReturn = line.kind === "return" && match.payout.stage === "returned";
  const isReturnKnown = isSecondReturn && (await isReturnedByOther(run, match.payout));
  const payout = isReturnKnown ? { ...match.payout, isReturnKnown } : match.payout;
  const decision = decideInbound(line, payout, bank);
  if (line.kind !== "change" || decision.outcome !== "noted") return decision;
  const day = new Date(atMs).toISOString().slice(0, 10);
  const detail = await proposeCorrection({ ...run, day }, match.payout, line);
  if (detail === undefined) return { outcome: "suspended", reason: "details_not_valid" };
  const subaccountId = match.payout.subaccount_id;
  run.sums.add("proposed", { subaccountId, currency: "", amount: 0n });
  return { outcome: "noted", detail };
}

/** Only reports of other kinds have told of the payout's return. */
async function isReturnedByOther(
  { tx, source, returned, written }: InboundRun,
  payout: LockedPayout,
): Promise<boolean> {
  if (returned.has(payout.id)) return false;
  await written;
  const sources = await listReturnSources(tx, payout);
  return sources.length > 0 && !sources.includes(source);
}

function placeOf({ payout, sent }: FoundPayout) {
  return {
    subaccount_id: payout.subaccount_id,
    payout_id: payout.id,
    batch_id: sent.batch_id,
  } satisfies Partial<NewInboundLine>;
}

function moveOf(
  { who, atMs, batches, returned, sums }: InboundRun,
  line: InboundLine,
  { payout, sent }: FoundPayout,
  move: FeeKeepingMove,
): PayoutMove {
  const cause = causeOf(line);
  const request: MoveRequest =
    move === "settle"
      ? { move, who, atMs, reason: "paid: the bank confirms it" }
      : { move, who, atMs, reason: cause, cause, causeCode: line.code };
  // The transfers are posted at the end of the file.
  const made = { ...toPayoutMove(payout, request), transfers: [] };
  const { subaccount_id: subaccountId, currency, sent_amount } = payout;
  sums.add(sumOfMove(move), { subaccountId, currency, amount: BigInt(sent_amount) });
  // A later line about the same payout sees where it is now.
  payout.stage = payoutMoves[move].to;
  if (payout.stage === "returned") returned.add(payout.id);
  if (line.kind === "rejection") batches.rejectedIn.add(sent.batch_id);
  return made;
}

async function moveAll(tx: Tx, moves: Map<string, PayoutMove>): Promise<void> {
  if (moves.size === 0) return;
  const moved = await movePayouts(tx, [...moves.values()]);
  if (moved.size !== moves.size) throw new Error("a payout that is locked must move");
  moves.clear();
}

function itemKeyOf({ seal, items, fileId }: InboundRun, line: InboundLine): string {
  const text = itemTextOf(line, fileId);
  const first = shortHash(seal, `item ${text}`);
  const times = (items.get(first) ?? 0) + 1;
  items.set(first, times);
  return times === 1 ? first : shortHash(seal, `item ${text} ${times}`);
}

function newRow(line: InboundLine, number: number, source: ReportSource): NewInboundLine {
  const cut = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, limits.bankTextMax);
  return {
    number,
    line: line.line,
    item_key: null,
    kind: line.kind,
    source,
    code: cut(line.code),
    bank_text: cut(line.text),
    reference: cut(line.reference),
    day: line.day,
    amount: line.amount === undefined ? null : line.amount.toString(),
    currency: line.currency,
    subaccount_id: null,
    payout_id: null,
    batch_id: null,
    outcome: "repeated",
    detail: "an earlier file reports the same",
  };
}
