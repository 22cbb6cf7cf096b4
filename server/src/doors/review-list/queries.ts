// The SQL of identity checks in the review queue over all subaccounts, and of decisions about them.

import type { KycStatus, ReceiverStatus } from "../../people/receivers/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { ReviewCursor } from "./cursor.ts";

/** Exactly the condition of the partial index. */
const waits = "((r.kyc_status = 'pending' and r.kyc_step is null) or r.kyc_needs_review)";
const since = "greatest(r.created_at_ms, r.kyc_reported_at_ms)";

/** A case with its receiver, its subaccount and who has claimed it. */
export type CaseLineRow = {
  subaccount_id: string;
  subaccount_name: string;
  mode: Mode;
  /** The receiver of an identity check, the hit, or the payout. */
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  country: string;
  status: ReceiverStatus;
  kyc_status: KycStatus;
  kyc_provider: string;
  since_ms: string;
  claim_user_id: string | null;
  claim_who: string | null;
  claim_until_ms: string | null;
};

export type QueueRow = CaseLineRow & {
  kyc_needs_review: boolean;
  approvals: number;
  last_outcome: string | null;
};

const receiver = `r.subaccount_id, r.id, r.first_name, r.last_name, r.email, r.country, r.status, r.kyc_status,
  r.kyc_provider, r.kyc_needs_review, ${since} as since_ms`;

/** Joins the other columns. A page is short, so subqueries are cheap. */
const shown = (cases: string) => `
  select r.*, s.suba_name as subaccount_name, s.mode, claim.user_id as claim_user_id,
         claim.who as claim_who, claim.until_ms as claim_until_ms,
         (select count(*)::int from review_vote v
          where v.subaccount_id = r.subaccount_id and v.receiver_id = r.id) as approvals,
         (select k.outcome from kyc_report k
          where k.subaccount_id = r.subaccount_id and k.receiver_id = r.id and k.provider = 'operator'
          order by k.occurred_at_ms desc limit 1) as last_outcome
  from (${cases}) r join subaccount s on s.id = r.subaccount_id
  left join review_assignment claim
    on claim.subaccount_id = r.subaccount_id and claim.receiver_id = r.id and claim.until_ms > $5
  order by r.since_ms, r.subaccount_id, r.id`;

const after = `(${since}, r.subaccount_id, r.id) > ($1::bigint, $2::uuid, $3::uuid)`;
const oldestFirst = `order by ${since}, r.subaccount_id, r.id limit $4`;
const wanted = `($6::uuid is null or r.subaccount_id = $6)`;

const queues = {
  all: statement<QueueRow>(
    "reviews-all",
    shown(
      `select ${receiver} from receiver r where ${waits} and ${after} and ${wanted} ${oldestFirst}`,
    ),
  ),
  unassigned: statement<QueueRow>(
    "reviews-unassigned",
    shown(`select ${receiver} from receiver r
      where ${waits} and ${after} and ${wanted} and not exists (
        select from review_assignment x where x.subaccount_id = r.subaccount_id
          and x.receiver_id = r.id and x.until_ms > $5)
      ${oldestFirst}`),
  ),
  mine: statement<QueueRow>(
    "reviews-mine",
    shown(`select ${receiver} from review_assignment x
      join receiver r on r.subaccount_id = x.subaccount_id and r.id = x.receiver_id
      where x.user_id = $7 and x.until_ms > $5 and ${waits} and ${after} and ${wanted} ${oldestFirst}`),
  ),
};

export type ReviewQueuePage = {
  tab: keyof typeof queues;
  userId: string;
  /** Undefined: all. */
  subaccountId: string | undefined;
  after: ReviewCursor | undefined;
  nowMs: number;
  limit: number;
};

/** Before every id. */
export const firstOfAll = "00000000-0000-0000-0000-000000000000";

/** Identity checks, longest waiting first. */
export function listQueue(db: Runner, page: ReviewQueuePage): Promise<QueueRow[]> {
  const { tab, userId, subaccountId, after, nowMs, limit } = page;
  return db.run(queues[tab], [
    ...[after?.sinceMs ?? 0, after?.subaccountId ?? firstOfAll, after?.id ?? firstOfAll],
    ...[limit, nowMs, subaccountId ?? null],
    ...(tab === "mine" ? [userId] : []),
  ]);
}

const countWaiting = statement<{ count: number; oldest_ms: string | null }>(
  "reviews-count",
  `select count(*)::int as count, min(since_ms) as oldest_ms from (
     select ${since} as since_ms from receiver r where ${waits} and ($1::uuid is null or r.subaccount_id = $1)
     order by ${since} limit ${limits.consoleCountedMax + 1}
   ) r`,
);

/** Counts identity checks, up to one above the bound. */
export async function countQueue(db: Runner, subaccountId: string | undefined) {
  return (await db.run(countWaiting, [subaccountId ?? null]))[0] ?? { count: 0, oldest_ms: null };
}

export type DecidedRow = Omit<
  QueueRow,
  "since_ms" | "claim_user_id" | "claim_who" | "claim_until_ms" | "approvals" | "last_outcome"
> & {
  event_id: string;
  outcome: "approved" | "rejected" | "retry";
  who: string;
  reason: string;
  occurred_at_ms: string;
};

const decided = statement<DecidedRow>(
  "reviews-decided",
  `select k.event_id, k.outcome, k.private_comment as who, k.public_comment as reason, k.occurred_at_ms,
          r.*, s.suba_name as subaccount_name, s.mode
   from (
     select * from kyc_report k
     where k.provider = 'operator' and k.event_id collate "C" < $1 and ($2::uuid is null or k.subaccount_id = $2)
     order by k.event_id collate "C" desc limit $3
   ) k
   cross join lateral (
     select subaccount_id, id, first_name, last_name, email, country, status, kyc_status, kyc_provider,
            kyc_needs_review
     from receiver r where r.subaccount_id = k.subaccount_id and r.id = k.receiver_id limit 1
   ) r
   join subaccount s on s.id = k.subaccount_id
   order by k.event_id collate "C" desc`,
);

type DecidedPage = { subaccountId: string | undefined; beforeId: string; limit: number };

/** Decisions of users, newest first. */
export function listDecided(db: Runner, page: DecidedPage): Promise<DecidedRow[]> {
  const { beforeId, subaccountId, limit } = page;
  return db.run(decided, [`operator:${beforeId}`, subaccountId ?? null, limit]);
}
