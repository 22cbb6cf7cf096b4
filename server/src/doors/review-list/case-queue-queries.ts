// The SQL of hits and payouts on hold in the review queue, over all subaccounts: pages, counts and decisions.

import type { HitStatus } from "../../people/screening/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { ReviewCursor } from "./cursor.ts";
import { type CaseLineRow, firstOfAll, type ReviewQueuePage } from "./queries.ts";

type ReceiverCaseRow = CaseLineRow & {
  receiver_id: string;
  /** A reviewer has asked about it. */
  is_asked: boolean;
};

export type HitLineRow = ReceiverCaseRow & {
  /** Open hits of the case. */
  entries: number;
  list: string;
  listed_name: string;
  score: number;
  same_by: string;
};
export type HoldLineRow = ReceiverCaseRow & { amount: string; currency: string };

type Decision<Outcome> = {
  outcome: Outcome;
  decided_by: string;
  reason: string;
  decision_id: string;
};
export type DecidedHitRow = HitLineRow & Decision<Exclude<HitStatus, "open" | "ended">>;
export type DecidedHoldRow = HoldLineRow & Decision<"released" | "refused">;

/** Joins the other columns to a page of cases. A page is short, so subqueries are cheap. */
const shown = (cases: string, nowMs: string) => `
  select c.*, r.first_name, r.last_name, r.email, r.country, r.status, r.kyc_status, r.kyc_provider,
         s.suba_name as subaccount_name, s.mode, claim.user_id as claim_user_id, claim.who as claim_who,
         claim.until_ms as claim_until_ms,
         exists (select from review_note n where n.subaccount_id = c.subaccount_id
                 and n.receiver_id = c.receiver_id and n.object_id = c.id) as is_asked
  from (${cases}) c
  cross join lateral (
    select * from receiver r where r.subaccount_id = c.subaccount_id and r.id = c.receiver_id limit 1
  ) r
  join subaccount s on s.id = c.subaccount_id
  left join review_assignment claim
    on claim.subaccount_id = c.subaccount_id and claim.receiver_id = c.receiver_id and claim.until_ms > ${nowMs}`;

/** A claim is about a receiver: with it, all cases of the receiver are assigned. */
const claimOf = (subaccountId: string, receiverId: string) => `
  select from review_assignment x
  where x.subaccount_id = ${subaccountId} and x.receiver_id = ${receiverId} and x.until_ms > $5`;

const tabs = {
  all: () => "",
  unassigned: (...ids: [string, string]) => `and not exists (${claimOf(...ids)})`,
  mine: (...ids: [string, string]) => `and exists (${claimOf(...ids)} and x.user_id = $7)`,
};
type OpenTab = keyof typeof tabs;

/** One case for each person of ours, over all lists. An embargoed country is no person, so it is a case of its own. */
const ofSamePerson = (one: string, other: string) => `${one}.status = 'open'
  and ${one}.subaccount_id = ${other}.subaccount_id and ${one}.receiver_id = ${other}.receiver_id
  and ${one}.subject_kind = ${other}.subject_kind and ${one}.subject_id = ${other}.subject_id
  and (${one}.list = 'embargo') = (${other}.list = 'embargo')`;

/** The oldest hit of a case stands for it. */
const isOldestOfPerson = `not exists (
  select from screening_hit x where ${ofSamePerson("x", "h")} and (x.opened_at_ms, x.id) < (h.opened_at_ms, h.id))`;

/** With the best match of the case. */
const casesOfHits = (hits: string) => `
  select h.subaccount_id, h.id, h.receiver_id, h.since_ms, best.list, best.score, best.same_by, best.listed_name, n.entries
  from (${hits}) h
  cross join lateral (
    select x.list, x.score, x.same_by, x.explanation ->> 'listed_name' as listed_name from screening_hit x
    where ${ofSamePerson("x", "h")} order by x.score desc, x.id limit 1
  ) best
  cross join lateral (select count(*)::int as entries from screening_hit x where ${ofSamePerson("x", "h")}) n`;

const hitColumns = `h.subaccount_id, h.id, h.receiver_id, h.list, h.score, h.same_by,
  h.explanation ->> 'listed_name' as listed_name`;

const openHits = (tab: OpenTab, isOfCases = "") => `
  select h.*, h.opened_at_ms as since_ms from screening_hit h
  where h.status = 'open' and (h.opened_at_ms, h.subaccount_id, h.id) > ($1::bigint, $2::uuid, $3::uuid)
    and ($6::uuid is null or h.subaccount_id = $6) ${tabs[tab]("h.subaccount_id", "h.receiver_id")} ${isOfCases}
  order by h.opened_at_ms, h.subaccount_id, h.id limit $4`;

const openHitCases = (tab: OpenTab) => `
  ${shown(casesOfHits(openHits(tab, `and ${isOldestOfPerson}`)), "$5")}
  order by c.since_ms, c.subaccount_id, c.id`;

const eachOpenHit = `
  ${shown(`select ${hitColumns}, h.since_ms, 1 as entries from (${openHits("all")}) h`, "$5")}
  order by c.since_ms, c.subaccount_id, c.id`;

const payoutOfHold = `cross join lateral (
  select p.receiver_id, p.amount, p.currency from payout p
  where p.subaccount_id = h.subaccount_id and p.id = h.payout_id limit 1
) p`;

/** A receiver with an open hit: its payouts can't be released before the hit is decided, so the hit stands for them. */
const withoutHit = `not exists (
  select from screening_hit x where x.subaccount_id = h.subaccount_id and x.receiver_id = p.receiver_id
    and x.status = 'open')`;

const openHolds = (tab: OpenTab) => `
  ${shown(
    `select h.subaccount_id, h.payout_id as id, p.receiver_id, p.amount, p.currency, h.since_ms
     from payout_hold h ${payoutOfHold}
     where h.decision is null and h.since_ms >= $1
       and (h.since_ms, h.subaccount_id, h.payout_id) > ($1::bigint, $2::uuid, $3::uuid)
       and ($6::uuid is null or h.subaccount_id = $6) and ${withoutHit}
       ${tabs[tab]("h.subaccount_id", "p.receiver_id")}
     order by h.since_ms, h.subaccount_id, h.payout_id limit $4`,
    "$5",
  )}
  order by c.since_ms, c.subaccount_id, c.id`;

const hitQueues = {
  all: statement<HitLineRow>("reviews-hits-all", openHitCases("all")),
  unassigned: statement<HitLineRow>("reviews-hits-unassigned", openHitCases("unassigned")),
  mine: statement<HitLineRow>("reviews-hits-mine", openHitCases("mine")),
};
const eachHit = statement<HitLineRow>("reviews-hits-each", eachOpenHit);
const holdQueues = {
  all: statement<HoldLineRow>("reviews-holds-all", openHolds("all")),
  unassigned: statement<HoldLineRow>("reviews-holds-unassigned", openHolds("unassigned")),
  mine: statement<HoldLineRow>("reviews-holds-mine", openHolds("mine")),
};

function valuesOf({ tab, userId, subaccountId, after, nowMs, limit }: ReviewQueuePage): unknown[] {
  return [
    ...[after?.sinceMs ?? 0, after?.subaccountId ?? firstOfAll, after?.id ?? firstOfAll],
    ...[limit, nowMs, subaccountId ?? null],
    ...(tab === "mine" ? [userId] : []),
  ];
}

/** Longest waiting first: one row for each case, or for each hit. */
export function listHitQueue(
  db: Runner,
  page: ReviewQueuePage,
  isEachHit: boolean,
): Promise<HitLineRow[]> {
  return isEachHit
    ? db.run(eachHit, valuesOf({ ...page, tab: "all" }))
    : db.run(hitQueues[page.tab], valuesOf(page));
}

/** Longest waiting first. */
export function listHoldQueue(db: Runner, page: ReviewQueuePage): Promise<HoldLineRow[]> {
  return db.run(holdQueues[page.tab], valuesOf(page));
}

export type QueueCount = { count: number; oldest_ms: string | null };

const most = limits.consoleCountedMax + 1;

const countHits = statement<QueueCount>(
  "reviews-hits-count",
  `select count(*)::int as count, min(opened_at_ms) as oldest_ms from (
     select h.opened_at_ms from screening_hit h
     where h.status = 'open' and ($1::uuid is null or h.subaccount_id = $1) and ${isOldestOfPerson}
     order by h.opened_at_ms limit ${most}
   ) h`,
);

/** Counts up to one above the bound. */
export async function countHitQueue(
  db: Runner,
  subaccountId: string | undefined,
): Promise<QueueCount> {
  return (await db.run(countHits, [subaccountId ?? null]))[0] ?? { count: 0, oldest_ms: null };
}

const countHolds = statement<QueueCount>(
  "reviews-holds-count",
  `select count(*)::int as count, min(since_ms) as oldest_ms from (
     select h.since_ms from payout_hold h ${payoutOfHold}
     where h.decision is null and ($1::uuid is null or h.subaccount_id = $1) and ${withoutHit}
     order by h.since_ms limit ${most}
   ) h`,
);

/** Counts up to one above the bound. */
export async function countHoldQueue(
  db: Runner,
  subaccountId: string | undefined,
): Promise<QueueCount> {
  return (await db.run(countHolds, [subaccountId ?? null]))[0] ?? { count: 0, oldest_ms: null };
}

const decidedHits = statement<DecidedHitRow>(
  "reviews-hits-decided",
  `${shown(
    `select ${hitColumns}, 1 as entries, h.decided_at_ms as since_ms, h.status as outcome, h.decided_by, h.reason,
            h.id as decision_id
     from screening_hit h
     where h.status in ('same', 'different') and (h.decided_at_ms, h.id) < ($1::bigint, $2::uuid)
       and ($3::uuid is null or h.subaccount_id = $3)
     order by h.decided_at_ms desc, h.id desc limit $4`,
    "$1",
  )}
  order by c.since_ms desc, c.decision_id desc`,
);

const decidedHolds = statement<DecidedHoldRow>(
  "reviews-holds-decided",
  `${shown(
    `select h.subaccount_id, h.payout_id as id, p.receiver_id, p.amount, p.currency, h.decided_at_ms as since_ms,
            h.decision as outcome, h.decided_by, h.decided_why as reason, h.id as decision_id
     from payout_hold h ${payoutOfHold}
     where h.decision in ('released', 'refused') and (h.decided_at_ms, h.id) < ($1::bigint, $2::uuid)
       and ($3::uuid is null or h.subaccount_id = $3)
     order by h.decided_at_ms desc, h.id desc limit $4`,
    "$1",
  )}
  order by c.since_ms desc, c.decision_id desc`,
);

export type DecidedBefore = {
  subaccountId: string | undefined;
  /** The last decision of the page before. */
  before: Pick<ReviewCursor, "sinceMs" | "id">;
  limit: number;
};

/** Newest first. */
export function listDecidedHits(db: Runner, page: DecidedBefore): Promise<DecidedHitRow[]> {
  return db.run(decidedHits, decidedValues(page));
}

/** Newest first. */
export function listDecidedHolds(db: Runner, page: DecidedBefore): Promise<DecidedHoldRow[]> {
  return db.run(decidedHolds, decidedValues(page));
}

function decidedValues({ before, subaccountId, limit }: DecidedBefore): unknown[] {
  return [before.sinceMs, before.id, subaccountId ?? null, limit];
}
