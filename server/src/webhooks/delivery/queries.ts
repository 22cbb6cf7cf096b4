// The SQL of delivery: claim lanes, read due deliveries, record outcomes, release lanes. All times are the database's,
// so the clocks of the processes don't matter.

import { type Db, type Runner, statement, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type DeliveryResult, failingSteps } from "./retry.ts";
import { type WorkerLock, workerLockClass } from "./worker-lock.ts";

export const nowMs = "(extract(epoch from now()) * 1000)::bigint";

/**
 * An owner that asks for its own lane failed to release it, and may claim it again. An owner that is not listed as a
 * worker claimed the lane after other workers had removed it from the list.
 */
const isFree = (owner: string) => `(e.lease_until_ms <= ${nowMs} or e.owner = ${owner}
         or not exists (select from delivery_worker w where w.number = e.owner))
       and e.open_until_ms <= ${nowMs}
       and e.disabled_at_ms is null and e.url <> '' and ${worksHere("e.subaccount_id")}`;

const hasDue = `exists (
       select from delivery d where d.subaccount_id = e.subaccount_id and d.due_at_ms <= ${nowMs})`;

// Goes through the index from one subaccount with deliveries to the next, and reads the first delivery of each. The
// cost grows with the number of subaccounts, not of deliveries.
export const activeLanes = `with recursive active(subaccount_id, due_at_ms, since_ms) as (
     (select subaccount_id, due_at_ms, since_ms from delivery order by subaccount_id, number limit 1)
     union all
     select next.* from active a cross join lateral (
       select d.subaccount_id, d.due_at_ms, d.since_ms from delivery d where d.subaccount_id > a.subaccount_id
       order by d.subaccount_id, d.number limit 1
     ) next
   )`;

const findFree = statement<{ subaccount_id: string }>(
  "lanes-find",
  `${activeLanes}
   select e.subaccount_id from active a join webhook_endpoint e on e.subaccount_id = a.subaccount_id
   where ${isFree("$1")} and (a.due_at_ms <= ${nowMs} or ${hasDue})`,
);

/** Lanes with due deliveries that no worker serves. */
export async function findFreeLanes(db: Runner, owner: number): Promise<string[]> {
  return (await db.run(findFree, [owner])).map(({ subaccount_id }) => subaccount_id);
}

export type WebhookSecretRow = { id: string; sealed: string; expires_at_ms: number | null };

export type ClaimedLane = {
  subaccount_id: string;
  epoch: string;
  url: string;
  backoff_level: number;
  failure_score: number;
  secrets: WebhookSecretRow[] | null;
  /** The trace of its oldest delivery. Read only where tracing is on. */
  traceparent?: string | null;
};

/** `traceparent`: two columns, that of a claimed lane and that of a lane which another worker holds. */
const lanesClaim = (name: string, traceparent = { claimed: "", held: "" }) =>
  statement<(ClaimedLane & { is_held: false }) | HeldLane>(
    name,
    // Compare and set on the lease: of two processes that claim a lane, one gets it. Sorted, so that two statements
    // lock rows in the same order.
    `with input as materialized (
     select input.subaccount_id from unnest($1::uuid[]) as input(subaccount_id) order by 1
   ), claimed as (
     update webhook_endpoint e
     set owner = $2, epoch = e.epoch + 1, lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
     from input
     where e.subaccount_id = input.subaccount_id and ${isFree("$2")} and ${hasDue}
     returning e.subaccount_id, e.epoch, e.url, e.backoff_level, e.failure_score
   )
   select c.*, false as is_held,
          (select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'),
                                             'expires_at_ms', s.expires_at_ms) order by s.id desc)
           from webhook_endpoint_secret s
           where s.subaccount_id = c.subaccount_id
             and (s.expires_at_ms is null or s.expires_at_ms > ${nowMs})) as secrets${traceparent.claimed}
   from claimed c
   union all
   select e.subaccount_id, e.epoch, '', 0, 0, true, null${traceparent.held}
   from webhook_endpoint e join input on input.subaccount_id = e.subaccount_id
   where e.lease_until_ms > ${nowMs} and e.owner <> $2`,
  );

const claimMany = lanesClaim("lanes-claim");
const claimTraced = lanesClaim("lanes-claim-traced", {
  claimed: `, (select v.traceparent from event v
           where v.subaccount_id = c.subaccount_id and v.id = (
             select d.event_id from delivery d where d.subaccount_id = c.subaccount_id
             order by d.number limit 1)) as traceparent`,
  held: ", null",
});

type HeldLane = { subaccount_id: string; is_held: true };

export type ClaimResult = { lanes: ClaimedLane[]; heldElsewhere: string[] };

export async function claimLanes(
  db: Runner,
  { owner, subaccountIds }: { owner: number; subaccountIds: readonly string[] },
): Promise<ClaimResult> {
  const claim = db.listeners.tracer ? claimTraced : claimMany;
  const rows = await db.run(claim, [[...subaccountIds].sort(), owner]);
  return {
    lanes: rows.filter((row): row is ClaimedLane & { is_held: false } => !row.is_held),
    heldElsewhere: rows.filter((row) => row.is_held).map(({ subaccount_id }) => subaccount_id),
  };
}

export type DueDelivery = {
  subaccount_id: string;
  number: string;
  event_id: string;
  order_key: string;
  attempts: number;
  age_ms: string;
  body: string;
  since_ms: string;
  /** Read only where tracing is on. */
  traceparent?: string | null;
};

const dueDeliveries = (name: string, traceparent = "") =>
  statement<DueDelivery>(
    name,
    // A delivery that waits for its retry holds back later ones with the same order key, and no others. Reads the first
    // hundred deliveries and then their events: in a plain join, PostgreSQL would read and sort the whole lane.
    `select l.subaccount_id, d.number, d.event_id, d.order_key, d.attempts, d.since_ms,
          ${nowMs} - d.since_ms as age_ms, v.body${traceparent}
   from json_to_recordset($1) as l(subaccount_id uuid, epoch bigint, taken bigint[])
   cross join lateral (
     select from webhook_endpoint e
     where e.subaccount_id = l.subaccount_id and e.epoch = l.epoch and ${worksHere("e.subaccount_id")} limit 1
   ) e
   cross join lateral (
     select d.number, d.event_id, d.order_key, d.attempts, d.since_ms from delivery d
     where d.subaccount_id = l.subaccount_id and d.due_at_ms <= ${nowMs} and d.number <> all(l.taken)
       and not exists (
         select from delivery x
         where x.subaccount_id = d.subaccount_id and x.order_key = d.order_key and x.attempts > 0
           and x.number < d.number and x.due_at_ms > ${nowMs})
     order by d.number limit ${limits.laneFetchMax}
   ) d
   cross join lateral (
     select v.body${traceparent} from event v
     where v.subaccount_id = l.subaccount_id and v.id = d.event_id limit 1
   ) v`,
  );

const fetchMany = dueDeliveries("deliveries-due");
const fetchTraced = dueDeliveries("deliveries-due-traced", ", v.traceparent");

export type DueRequest = { subaccountId: string; epoch: string; taken: readonly string[] };

/** The due deliveries of each lane, oldest first. None for a lane that another worker has claimed since. */
export async function listDueDeliveries(
  db: Runner,
  requests: readonly DueRequest[],
): Promise<DueDelivery[][]> {
  const rows = requests.map(({ subaccountId: subaccount_id, ...rest }) => ({
    subaccount_id,
    ...rest,
  }));
  const fetchDue = db.listeners.tracer ? fetchTraced : fetchMany;
  const bySubaccount = new Map<string, DueDelivery[]>(
    requests.map(({ subaccountId }) => [subaccountId, []]),
  );
  for (const row of await db.run(fetchDue, [JSON.stringify(rows)])) {
    bySubaccount.get(row.subaccount_id)?.push(row);
  }
  return requests.map(({ subaccountId }) => bySubaccount.get(subaccountId) ?? []);
}

/** One attempt, as the statement reads it. */
export type DeliveryOutcomeRow = {
  subaccount_id: string;
  epoch: string;
  number: string;
  event_id: string;
  attempt_id: string;
  attempt: number;
  result: DeliveryResult;
  retry_after_ms: number | undefined;
  status: number | undefined;
  failure: string | undefined;
  detail: string;
  took_ms: number;
  answer: string;
};

const recordMany = statement<{ repeated: number }>(
  "deliveries-record",
  // A success counts even if another worker owns the lane by now. A failure is written only by the owner.
  `with r as materialized (
     select r.*, e.epoch is not null as is_owner
     from json_to_recordset($1) as r(subaccount_id uuid, epoch bigint, number bigint, event_id uuid,
       attempt_id uuid, attempt int, result text, retry_after_ms bigint, status int, failure text,
       detail text, took_ms int, answer text)
     left join webhook_endpoint e on e.subaccount_id = r.subaccount_id and e.epoch = r.epoch
   ), delivered as (
     delete from delivery d using r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'delivered'
     returning d.number
   ), retried as (
     update delivery d set attempts = r.attempt, due_at_ms = ${nowMs} + r.retry_after_ms
     from r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'retry' and r.is_owner
   ), abandoned as (
     delete from delivery d using r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'abandoned' and r.is_owner
     returning d.subaccount_id, d.event_id, r.attempt
   ), kept_for_resend as (
     insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
     select subaccount_id, event_id, attempt, ${nowMs} from abandoned
     on conflict (subaccount_id, event_id)
     do update set attempts = excluded.attempts, abandoned_at_ms = excluded.abandoned_at_ms
   ), attempts as (
     insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer)
     select subaccount_id, event_id, attempt_id, attempt, status, failure, detail, took_ms, answer from r
     on conflict do nothing
   )
   select (select count(*) from r where result = 'delivered')::int - (select count(*) from delivered)::int as repeated`,
);

/** Records attempts with their outcomes. Returns how many deliveries had been recorded as delivered before. */
export async function recordOutcomes(
  db: Runner,
  outcomes: readonly DeliveryOutcomeRow[],
): Promise<number> {
  const [row] = await db.run(recordMany, [JSON.stringify(outcomes)]);
  db.afterCommit(({ changed }) => {
    for (const { subaccount_id } of outcomes) changed(subaccount_id, "events");
  });
  return row?.repeated ?? 0;
}

export type Release = {
  subaccountId: string;
  epoch: string;
  hasSucceeded: boolean;
  /** Since the last success. */
  hasFailed: boolean;
  isGone: boolean;
  failureScore: number;
  backoffLevel: number;
  backoffMs: number;
};

type Released = { subaccount_id: string; failing_since_ms: string; passed: number };

const failingMs = `${nowMs} - e.failing_since_ms`;
const passed = failingSteps.map(([, ms]) => `(${failingMs} >= ${ms})::int`).join(" + ");

const releaseMany = statement<Released>(
  "lanes-release",
  `with r as materialized (
     select * from json_to_recordset($1) as r(subaccount_id uuid, epoch bigint, has_succeeded boolean,
       has_failed boolean, is_gone boolean, failure_score int, backoff_level int, backoff_ms bigint)
   ), released as (
     update webhook_endpoint e
     set owner = null, lease_until_ms = 0, failure_score = r.failure_score, backoff_level = r.backoff_level,
         open_until_ms = case when r.backoff_ms > 0 then ${nowMs} + r.backoff_ms else 0 end,
         failing_since_ms = case when r.has_failed and r.has_succeeded then ${nowMs}
                                 when r.has_failed then coalesce(e.failing_since_ms, ${nowMs})
                                 when r.has_succeeded then null
                                 else e.failing_since_ms end,
         failing_reported = case when r.has_succeeded then 0 else coalesce(${passed}, 0) end,
         -- It could sign.
         secret_unreadable_since_ms = null,
         disabled_at_ms = case when r.is_gone then ${nowMs} else e.disabled_at_ms end
     from r
     where e.subaccount_id = r.subaccount_id and e.epoch = r.epoch
     returning e.subaccount_id, e.failing_since_ms, e.failing_reported as passed
   )
   select released.* from released
   join webhook_endpoint before on before.subaccount_id = released.subaccount_id
   where released.passed > before.failing_reported`,
);

/** Returns the endpoints that have just failed for 1 hour, 24 hours or 7 days, which is worth a warning. */
export function releaseLanes(db: Runner, releases: readonly Release[]): Promise<Released[]> {
  const rows = releases.map((release) => ({
    subaccount_id: release.subaccountId,
    epoch: release.epoch,
    has_succeeded: release.hasSucceeded,
    has_failed: release.hasFailed,
    is_gone: release.isGone,
    failure_score: release.failureScore,
    backoff_level: release.backoffLevel,
    backoff_ms: release.backoffMs,
  }));
  return db.run(releaseMany, [JSON.stringify(rows)]);
}

const releaseUnsigned = statement<{ is_new: boolean }>(
  "lane-release-unsigned",
  // It is claimed again after the pause, because the key may have been added meanwhile.
  `update webhook_endpoint e
   set owner = null, lease_until_ms = 0, open_until_ms = ${nowMs} + ${limits.unreadableSecretPauseMs},
       secret_unreadable_since_ms = coalesce(e.secret_unreadable_since_ms, ${nowMs})
   from webhook_endpoint before
   where e.subaccount_id = $1 and e.epoch = $2 and before.subaccount_id = e.subaccount_id
   returning before.secret_unreadable_since_ms is null as is_new`,
);

/** Returns true when the secret was not known to be unreadable before. */
export async function releaseUnsignedLane(
  db: Runner,
  { subaccountId, epoch }: { subaccountId: string; epoch: string },
): Promise<boolean> {
  const [row] = await db.run(releaseUnsigned, [subaccountId, epoch]);
  db.afterCommit(({ changed }) => changed(subaccountId, "events"));
  return row?.is_new ?? false;
}

const renewMany = statement<{ subaccount_id: string }>(
  "lanes-renew",
  `update webhook_endpoint set lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
   where owner = $1 and subaccount_id = any($2)
   returning subaccount_id`,
);

/** Returns the lanes that it still owns. Runs on the connection that holds the lock: without it, the lanes are lost. */
export async function renewLanes(
  lock: WorkerLock,
  subaccountIds: readonly string[],
): Promise<Set<string>> {
  const rows = await lock.run(renewMany, [lock.number, subaccountIds]);
  return new Set(rows.map(({ subaccount_id }) => subaccount_id));
}

const releaseLost = statement<{ subaccount_id: string }>(
  "lanes-release-lost",
  `with lost as materialized (
     select number from delivery_worker
     where case when number <> $1 then pg_try_advisory_xact_lock(${workerLockClass}, number) else false end
   ), removed as (
     delete from delivery_worker where number in (select number from lost)
   )
   update webhook_endpoint e set owner = null, lease_until_ms = 0
   where e.owner in (select number from lost) and ${worksHere("e.subaccount_id")}
   returning e.subaccount_id`,
);

/** Releases the lanes of workers whose lock is free, and returns these lanes. */
export async function releaseLanesOfLostWorkers(
  db: Runner,
  { number }: WorkerLock,
): Promise<string[]> {
  return (await db.run(releaseLost, [number])).map(({ subaccount_id }) => subaccount_id);
}

const tooOldMs = `${nowMs} - ${limits.deliveryTriedMs} - 86400000`;
const abandonOld = statement<{ subaccount_id: string }>(
  "deliveries-abandon-old",
  // For lanes on which nothing is sent any more, such as disabled ones. A day later than the attempts themselves
  // would end.
  `${activeLanes}, old as materialized (
     select d.subaccount_id, d.number from active a cross join lateral (
       select d.subaccount_id, d.number, d.since_ms from delivery d
       where d.subaccount_id = a.subaccount_id order by d.number limit 1000
     ) d
     where a.since_ms < ${tooOldMs} and d.since_ms < ${tooOldMs} and ${worksHere("a.subaccount_id")}
   ), abandoned as (
     delete from delivery d using old
     where d.subaccount_id = old.subaccount_id and d.number = old.number
     returning d.subaccount_id, d.event_id, d.attempts
   )
   insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
   select subaccount_id, event_id, attempts, ${nowMs} from abandoned
   on conflict do nothing
   returning subaccount_id`,
);

/** Returns how many deliveries became too old and were abandoned. */
export async function abandonOldDeliveries(db: Db): Promise<number> {
  return (await db.run(abandonOld)).length;
}
