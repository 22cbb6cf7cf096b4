// A page of the review queue, or of the decisions: identity checks, hits and payouts on hold in one order.

import { firstIdOf, idTimeMs, newestId, toNumber } from "../../platform/base/index.ts";
import { cutPage, type Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { pageSizeOf } from "../lists/index.ts";
import {
  countHitQueue,
  countHoldQueue,
  type DecidedHitRow,
  type DecidedHoldRow,
  type HitLineRow,
  type HoldLineRow,
  listDecidedHits,
  listDecidedHolds,
  listHitQueue,
  listHoldQueue,
} from "./case-queue-queries.ts";
import { type ReviewCursor, readReviewCursor, writeReviewCursor } from "./cursor.ts";
import { countQueue, type DecidedRow, listDecided, listQueue, type QueueRow } from "./queries.ts";
import { codedStates, receiverNameOf } from "./receivers/present.ts";
import { urgencyOf } from "./review.ts";
import type {
  CaseKind,
  ReviewLine,
  ReviewsCount,
  ReviewsFilter,
  ReviewsPage,
  Tab,
} from "./schema.ts";

type Reviewer = {
  userId: string;
  /** The only subaccount that the user sees. Undefined: all. */
  subaccountId: string | undefined;
  /** The command line lists each hit; the console decides all of a person in one case. */
  isEachHit?: boolean;
};

/** A line, and its place in the order. */
type Placed = { line: ReviewLine; place: ReviewCursor };

type PageRequest = {
  wants: (kind: CaseKind) => boolean;
  subaccountId: string | undefined;
  after: ReviewCursor | undefined;
  limit: number;
};

export async function readQueue(
  db: Runner,
  filter: ReviewsFilter,
  { userId, subaccountId: own, isEachHit = false }: Reviewer,
  nowMs: number,
): Promise<ReviewsPage> {
  const tab = (filter.tab ?? "all") as Tab;
  const size = pageSizeOf(filter);
  const request: PageRequest = {
    wants: (kind) => filter.kind === undefined || filter.kind === kind,
    subaccountId: own ?? filter.subaccount_id?.toLowerCase(),
    after: filter.cursor === undefined ? undefined : readReviewCursor(filter.cursor),
    limit: size + 1,
  };
  const found =
    tab === "decided"
      ? await listDecisions(db, request)
      : await listWaiting(db, request, { tab, userId, nowMs, isEachHit });
  const { rows, next } = await cutPage(found, size, ({ place }) => writeReviewCursor(place));
  return { rows: rows.map(({ line }) => line), next };
}

/** Longest waiting first. Each kind gives a page of its own, so the merged page misses none. */
async function listWaiting(
  db: Runner,
  { wants, ...request }: PageRequest,
  {
    tab,
    userId,
    nowMs,
    isEachHit,
  }: { tab: Exclude<Tab, "decided">; userId: string; nowMs: number; isEachHit: boolean },
): Promise<Placed[]> {
  const page = { ...request, tab, userId, nowMs };
  const viewer = { userId, nowMs };
  const checks = wants("identity") ? await listQueue(db, page) : [];
  const hits = wants("hit") ? await listHitQueue(db, page, isEachHit) : [];
  const holds = wants("hold") ? await listHoldQueue(db, page) : [];
  const lines = [
    ...checks.map((row) => checkLine(row, viewer)),
    ...hits.map((row) => hitLine(row, viewer)),
    ...holds.map((row) => holdLine(row, viewer)),
  ];
  return lines
    .map((line) => {
      const { id, since: sinceMs, subaccount } = line;
      return { line, place: { sinceMs, subaccountId: subaccount.id, id } };
    })
    .sort((one, other) => compare(one.place, other.place));
}

/**
 * Newest first, by the time of the decision and its id. The id of a decision about an identity check contains its time,
 * so the place of the last line is one id for that list.
 */
async function listDecisions(
  db: Runner,
  { wants, subaccountId, after, limit }: PageRequest,
): Promise<Placed[]> {
  const before = after ?? { sinceMs: Number.MAX_SAFE_INTEGER, id: newestId };
  const firstId = firstIdOf(before.sinceMs);
  const beforeId = before.id > firstId ? before.id : firstId;
  const page = { subaccountId, before, limit };
  const checks = wants("identity") ? await listDecided(db, { subaccountId, beforeId, limit }) : [];
  const hits = wants("hit") ? await listDecidedHits(db, page) : [];
  const holds = wants("hold") ? await listDecidedHolds(db, page) : [];
  const found = [
    ...checks.map((row) => {
      const id = row.event_id.replace(/^operator:/, "");
      return placed(decidedCheckLine(row, id), idTimeMs(id));
    }),
    ...hits.map((row) => placed(decidedHitLine(row), Number(row.since_ms))),
    ...holds.map((row) => placed(decidedHoldLine(row), Number(row.since_ms))),
  ];
  return found.sort((one, other) => {
    const [a, b] = [one.place, other.place];
    return b.sinceMs - a.sinceMs || (a.id < b.id ? 1 : -1);
  });
}

function placed(line: ReviewLine, sinceMs: number): Placed {
  return { line, place: { sinceMs, subaccountId: line.subaccount.id, id: line.id } };
}

/** As PostgreSQL orders them. */
function compare(one: ReviewCursor, other: ReviewCursor): number {
  if (one.sinceMs !== other.sinceMs) return one.sinceMs - other.sinceMs;
  const [a, b] = [one, other].map(({ subaccountId, id }) => subaccountId + id) as [string, string];
  return a < b ? -1 : 1;
}

export async function countReviews(
  db: Runner,
  { subaccountId }: Pick<Reviewer, "subaccountId">,
): Promise<ReviewsCount> {
  const kinds = [
    { kind: "identity" as const, ...(await countQueue(db, subaccountId)) },
    { kind: "hit" as const, ...(await countHitQueue(db, subaccountId)) },
    { kind: "hold" as const, ...(await countHoldQueue(db, subaccountId)) },
  ];
  const most = limits.consoleCountedMax;
  const count = kinds.reduce((sum, one) => sum + one.count, 0);
  return {
    count: Math.min(count, most),
    is_capped: count > most,
    kinds: kinds.map(({ kind, count, oldest_ms }) => ({
      kind,
      count: Math.min(count, most),
      oldest: oldest_ms === null ? null : Number(oldest_ms),
    })),
  };
}

type LineRow = Omit<
  HitLineRow,
  "entries" | "list" | "listed_name" | "score" | "same_by" | "is_asked"
>;
type Viewer = { userId: string; nowMs: number };

/** The part of a waiting line that all kinds share. */
function waitingLine(row: LineRow, { userId, nowMs }: Viewer) {
  const since = Number(row.since_ms);
  return {
    ...receiverOf(row),
    id: row.id,
    case_id: row.id,
    since,
    urgency: urgencyOf(since, nowMs),
    claim:
      row.claim_who === null
        ? null
        : {
            who: row.claim_who,
            is_mine: row.claim_user_id === userId,
            until: Number(row.claim_until_ms),
          },
    approvals: 0,
    hit: null,
    hold: null,
    decision: null,
  };
}

function checkLine(row: QueueRow, viewer: Viewer): ReviewLine {
  return {
    ...waitingLine({ ...row, receiver_id: row.id }, viewer),
    kind: "identity",
    approvals: row.approvals,
    why: whyOf(row),
  };
}

function hitLine(row: HitLineRow, viewer: Viewer): ReviewLine {
  return {
    ...waitingLine(row, viewer),
    kind: "hit",
    approvals: row.same_by === "" ? 0 : 1,
    why: row.is_asked ? "asked_for_more" : "new",
    hit: hitOf(row),
  };
}

function holdLine(row: HoldLineRow, viewer: Viewer): ReviewLine {
  return {
    ...waitingLine(row, viewer),
    kind: "hold",
    why: row.is_asked ? "asked_for_more" : "new",
    hold: holdOf(row),
  };
}

/** The part of a decided line that all kinds share. */
const decided = {
  urgency: "fresh",
  why: "new",
  claim: null,
  approvals: 0,
  hit: null,
  hold: null,
} as const;

function decidedCheckLine({ outcome, who, reason, ...row }: DecidedRow, id: string): ReviewLine {
  const at = Number(row.occurred_at_ms);
  return {
    ...receiverOf({ ...row, receiver_id: row.id }),
    ...decided,
    kind: "identity",
    id,
    case_id: row.id,
    since: at,
    decision: { outcome, who, reason, at },
  };
}

function decidedHitLine(row: DecidedHitRow): ReviewLine {
  return { ...decidedLine(row), kind: "hit", hit: hitOf(row) };
}

function decidedHoldLine(row: DecidedHoldRow): ReviewLine {
  return { ...decidedLine(row), kind: "hold", hold: holdOf(row) };
}

function decidedLine(
  row: Omit<DecidedHoldRow, "outcome" | "amount" | "currency"> & { outcome: string },
) {
  const at = Number(row.since_ms);
  return {
    ...receiverOf(row),
    ...decided,
    id: row.decision_id,
    case_id: row.id,
    since: at,
    decision: { outcome: row.outcome, who: row.decided_by, reason: row.reason, at },
  };
}

function hitOf({ list, listed_name, score, entries }: HitLineRow): ReviewLine["hit"] {
  return { list, listed_name, score, entries };
}

function holdOf({ amount, currency }: HoldLineRow): ReviewLine["hold"] {
  return { amount: toNumber(BigInt(amount)), currency };
}

type ReceiverOfLine = Pick<
  LineRow,
  | ("subaccount_id" | "subaccount_name" | "mode" | "receiver_id" | "first_name" | "last_name")
  | ("email" | "country" | "status" | "kyc_status" | "kyc_provider")
>;

function receiverOf(row: ReceiverOfLine) {
  const { email, country } = row;
  return {
    subaccount: { id: row.subaccount_id, name: row.subaccount_name, mode: row.mode },
    receiver_id: row.receiver_id,
    name: receiverNameOf(row),
    email,
    country,
    ...codedStates(row),
    provider: row.kyc_provider,
  };
}

function whyOf({ kyc_needs_review, kyc_status, last_outcome }: QueueRow): ReviewLine["why"] {
  if (kyc_needs_review) return kyc_status === "failed" ? "approved_after_rejection" : "on_hold";
  return last_outcome === "retry" ? "asked_for_more" : "new";
}
