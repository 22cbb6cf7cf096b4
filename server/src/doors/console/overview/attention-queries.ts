// The SQL of the items that need attention. Each query is bounded.

import { type Stage, stagesOf } from "../../../money/payouts/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";

export type Counted = {
  /** At most one above the bound. */
  count: number;
  oldest_id: string | null;
};

const more = limits.countedMax + 1;

type OldestRow = { id: string };

// A short index scan for each stage and currency; then the oldest row.
const oldestIn = (stages: readonly Stage[], limit: number, where = "") => `
  select p.id from ledger_balance b
  cross join unnest(array[${stages.map((stage) => `'${stage}'`)}]) as s(stage)
  cross join lateral (
    select id from payout p
    where p.subaccount_id = $1 and p.currency = b.currency and p.stage = s.stage ${where}
    order by id limit ${limit}
  ) p`;

const oldest = statement<OldestRow>(
  "overview-payout-oldest",
  `${oldestIn(stagesOf("pending"), 1)}
   where b.subaccount_id = $1 and ($2::text is null or b.currency = $2) order by p.id limit 1`,
);

/** The oldest payout that is not final. */
export async function findOldestInFlight(
  db: Runner,
  { subaccountId, currency }: { subaccountId: string; currency: string | undefined },
): Promise<string | undefined> {
  return (await db.run(oldest, [subaccountId, currency ?? null]))[0]?.id;
}

const late = statement<Counted>(
  "overview-payouts-late",
  `select count(*)::int as count, min(id::text) as oldest_id from (
     ${oldestIn(["queued", "submitted"], more, "and p.id < $2")}
     where b.subaccount_id = $1 order by p.id limit ${more}
   ) p`,
);

/** Payouts before this id that are not final and do not wait for approval. */
export async function countLatePayouts(
  db: Runner,
  subaccountId: string,
  beforeId: string,
): Promise<Counted | undefined> {
  return (await db.run(late, [subaccountId, beforeId]))[0];
}

type SetAsideCount = {
  count: number;
  oldest_id: string | null;
  oldest_ms: string | null;
  reason: string | null;
};

const setAside = statement<SetAsideCount>(
  "overview-payouts-set-aside",
  `select count(*)::int as count, (array_agg(payout_id::text order by since_ms))[1] as oldest_id,
          min(since_ms) as oldest_ms, (array_agg(reason order by since_ms))[1] as reason
   from (select payout_id, since_ms, reason from payout_set_aside where subaccount_id = $1 limit ${more}) s`,
);

/** Payouts that could not be sent or confirmed, with the oldest of them. */
export async function countPayoutsSetAside(
  db: Runner,
  subaccountId: string,
): Promise<SetAsideCount | undefined> {
  return (await db.run(setAside, [subaccountId]))[0];
}

const inStage = (stage: Stage) => `
  select count(*)::int as count, min(id::text) as oldest_id from (
    ${oldestIn([stage], more)}
    where b.subaccount_id = $1 order by p.id limit ${more}
  ) p`;

const waiting = {
  awaiting_approval: statement<Counted>("overview-payouts-awaiting", inStage("awaiting_approval")),
  on_hold: statement<Counted>("overview-payouts-on-hold", inStage("on_hold")),
};

/** Payouts that wait for a user. */
export async function countPayoutsInStage(
  db: Runner,
  subaccountId: string,
  stage: keyof typeof waiting,
): Promise<Counted | undefined> {
  return (await db.run(waiting[stage], [subaccountId]))[0];
}

const atRest = statement<{ count: number; oldest_ms: string | null }>(
  "overview-deliveries-at-rest",
  `select count(*)::int as count, min(abandoned_at_ms) as oldest_ms
   from (select abandoned_at_ms from delivery_abandoned where subaccount_id = $1 limit ${more}) r`,
);

/** Events that could not be delivered and are no longer retried. */
export async function countAbandonedEvents(
  db: Runner,
  subaccountId: string,
): Promise<{ count: number; oldest_ms: string | null } | undefined> {
  return (await db.run(atRest, [subaccountId]))[0];
}

const unsent = statement<{ count: number }>(
  "overview-events-unsent",
  // There is no index of unsent events. Without a webhook endpoint the newest ones are unsent.
  `select count(*) filter (where not e.wanted)::int as count
   from (select wanted from event where subaccount_id = $1 order by id desc limit $2) e`,
);

/** Events from a time without a webhook endpoint, among the newest. */
export async function countUnsentEvents(db: Runner, subaccountId: string): Promise<number> {
  return (await db.run(unsent, [subaccountId, more]))[0]?.count ?? 0;
}

const newKeys = statement<{ name: string; at_ms: string }>(
  "overview-keys-new",
  `select k.name, (extract(epoch from s.seen_at) * 1000)::bigint as at_ms
   from api_key k join api_secret_seen s on s.key = k.key join subaccount a on a.id = k.subaccount_id
   where k.subaccount_id = $1 and k.revoked_at is null and s.seen_at > to_timestamp($2::float8 / 1000)
     and (a.mode = 'live' or k.scopes && array['payout', 'bank_details'])
   order by s.seen_at desc limit ${more}`,
);

/** Keys with a money scope whose secret was created or rotated since then, newest first. */
export function listNewKeys(
  db: Runner,
  subaccountId: string,
  fromMs: number,
): Promise<{ name: string; at_ms: string }[]> {
  return db.run(newKeys, [subaccountId, fromMs]);
}

const endingKeys = statement<{ name: string; expires_at_ms: string }>(
  "overview-keys-ending",
  `select name, (extract(epoch from expires_at) * 1000)::bigint as expires_at_ms from api_key
   where subaccount_id = $1 and revoked_at is null
     and expires_at > to_timestamp($2::float8 / 1000) and expires_at < to_timestamp($3::float8 / 1000)
   order by expires_at limit ${more}`,
);

/** Keys that expire before then, the next one first. */
export function listEndingKeys(
  db: Runner,
  subaccountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ name: string; expires_at_ms: string }[]> {
  return db.run(endingKeys, [subaccountId, fromMs, toMs]);
}

const findAnyPayout = statement<{ found: boolean }>(
  "overview-any-payout",
  "select exists (select from payout where subaccount_id = $1) as found",
);

/** Whether the subaccount has ever made a payout. */
export async function hasPayouts(db: Runner, subaccountId: string): Promise<boolean> {
  const [row] = await db.run(findAnyPayout, [subaccountId]);
  return row?.found ?? false;
}
