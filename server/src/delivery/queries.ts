// The SQL of delivery: lanes are taken, what is due on them is read, what came of it is written, lanes are left.
// All times are the database's, so that it does not matter whose clock is right.

import { type Db, type Runner, statement } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { failingSteps } from "./retry.ts";
import { type WorkerLock, workerLockClass } from "./worker-lock.ts";

const nowMs = "(extract(epoch from now()) * 1000)::bigint";

/**
 * A lane that its owner holds but does not serve is one that it could not leave: it may take it again. One whose
 * owner is not among the workers was claimed by a process whose end had been noticed before.
 */
const isFree = (owner: string) => `(e.lease_until_ms <= ${nowMs} or e.owner = ${owner}
         or not exists (select from delivery_worker w where w.number = e.owner))
       and e.open_until_ms <= ${nowMs}
       and e.disabled_at_ms is null and e.url <> ''`;

const hasDue = `exists (
       select from delivery d where d.subaccount_id = e.subaccount_id and d.due_at_ms <= ${nowMs})`;

// From one subaccount with something waiting to the next, by the index: costs as much as there are such
// subaccounts, however much waits for each. With each, the first that waits.
const activeLanes = `with recursive active(subaccount_id, due_at_ms, since_ms) as (
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

/** The lanes that somebody could take: what no hint came for. */
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
};

const claimMany = statement<(ClaimedLane & { is_held: false }) | HeldLane>(
  "lanes-claim",
  // Compare and set on the lease: of two processes that want a lane, one gets it. Sorted, so that they wait for
  // each other in one order.
  `with asked as materialized (
     select asked.subaccount_id from unnest($1::uuid[]) as asked(subaccount_id) order by 1
   ), claimed as (
     update webhook_endpoint e
     set owner = $2, epoch = e.epoch + 1, lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
     from asked
     where e.subaccount_id = asked.subaccount_id and ${isFree("$2")} and ${hasDue}
     returning e.subaccount_id, e.epoch, e.url, e.backoff_level, e.failure_score
   )
   select c.*, false as is_held,
          (select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'),
                                             'expires_at_ms', s.expires_at_ms) order by s.id desc)
           from webhook_endpoint_secret s
           where s.subaccount_id = c.subaccount_id
             and (s.expires_at_ms is null or s.expires_at_ms > ${nowMs})) as secrets
   from claimed c
   union all
   select e.subaccount_id, e.epoch, '', 0, 0, true, null
   from webhook_endpoint e join asked on asked.subaccount_id = e.subaccount_id
   where e.lease_until_ms > ${nowMs} and e.owner <> $2`,
);

type HeldLane = { subaccount_id: string; is_held: true };

export type ClaimResult = { lanes: ClaimedLane[]; heldElsewhere: string[] };

export async function claimLanes(
  db: Runner,
  { owner, subaccountIds }: { owner: number; subaccountIds: readonly string[] },
): Promise<ClaimResult> {
  const rows = await db.run(claimMany, [[...subaccountIds].sort(), owner]);
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
};

const fetchMany = statement<DueDelivery>(
  "deliveries-due",
  // What failed and waits for its time holds back what comes after it for the same payout or receiver, and
  // nothing else. First the hundred, then their events: joined at once, PostgreSQL would rather read all that waits
  // for the lane and sort it.
  `select l.subaccount_id, d.number, d.event_id, d.order_key, d.attempts, d.since_ms,
          ${nowMs} - d.since_ms as age_ms, v.body
   from json_to_recordset($1) as l(subaccount_id uuid, epoch bigint, taken bigint[])
   cross join lateral (
     select from webhook_endpoint e where e.subaccount_id = l.subaccount_id and e.epoch = l.epoch limit 1
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
     select v.body from event v
     where v.subaccount_id = l.subaccount_id and v.id = d.event_id limit 1
   ) v`,
);

export type DueRequest = { subaccountId: string; epoch: string; taken: readonly string[] };

/** For each lane what is due on it, oldest first. Nothing for a lane that was lost. */
export async function listDueDeliveries(
  db: Runner,
  asked: readonly DueRequest[],
): Promise<DueDelivery[][]> {
  const rows = asked.map(({ subaccountId: subaccount_id, ...rest }) => ({
    subaccount_id,
    ...rest,
  }));
  const bySubaccount = new Map<string, DueDelivery[]>(
    asked.map(({ subaccountId }) => [subaccountId, []]),
  );
  for (const row of await db.run(fetchMany, [JSON.stringify(rows)])) {
    bySubaccount.get(row.subaccount_id)?.push(row);
  }
  return asked.map(({ subaccountId }) => bySubaccount.get(subaccountId) ?? []);
}

/** As the database takes it. */
export type DeliveryOutcomeRow = {
  subaccount_id: string;
  epoch: string;
  number: string;
  event_id: string;
  attempt_id: string;
  attempt: number;
  result: "heard" | "again" | "rest";
  again_after_ms: number | undefined;
  status: number | undefined;
  failure: string | undefined;
  detail: string;
  took_ms: number;
  answer: string;
};

const acknowledgeMany = statement<{ repeated: number }>(
  "deliveries-acknowledge",
  // What was heard goes whoever owns the lane by now: it was heard. Everything else only the owner may write.
  `with r as materialized (
     select r.*, e.epoch is not null as is_owner
     from json_to_recordset($1) as r(subaccount_id uuid, epoch bigint, number bigint, event_id uuid,
       attempt_id uuid, attempt int, result text, again_after_ms bigint, status int, failure text,
       detail text, took_ms int, answer text)
     left join webhook_endpoint e on e.subaccount_id = r.subaccount_id and e.epoch = r.epoch
   ), heard as (
     delete from delivery d using r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'heard'
     returning d.number
   ), again as (
     update delivery d set attempts = r.attempt, due_at_ms = ${nowMs} + r.again_after_ms
     from r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'again' and r.is_owner
   ), given_up as (
     delete from delivery d using r
     where d.subaccount_id = r.subaccount_id and d.number = r.number and r.result = 'rest' and r.is_owner
     returning d.subaccount_id, d.event_id, r.attempt
   ), at_rest as (
     insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
     select subaccount_id, event_id, attempt, ${nowMs} from given_up
     on conflict (subaccount_id, event_id)
     do update set attempts = excluded.attempts, abandoned_at_ms = excluded.abandoned_at_ms
   ), kept as (
     insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer)
     select subaccount_id, event_id, attempt_id, attempt, status, failure, detail, took_ms, answer from r
     on conflict do nothing
   )
   select (select count(*) from r where result = 'heard')::int - (select count(*) from heard)::int as repeated`,
);

/** What came of tries, with the tries themselves. How many of them had been heard before. */
export async function recordOutcomes(
  db: Runner,
  tries: readonly DeliveryOutcomeRow[],
): Promise<number> {
  const [row] = await db.run(acknowledgeMany, [JSON.stringify(tries)]);
  db.afterCommit(({ changed }) => {
    for (const { subaccount_id } of tries) changed(subaccount_id, "events");
  });
  return row?.repeated ?? 0;
}

export type Release = {
  subaccountId: string;
  epoch: string;
  hasSucceeded: boolean;
  /** Since it last succeeded. */
  hasFailed: boolean;
  isGone: boolean;
  failure_score: number;
  openLevel: number;
  openMs: number;
};

export type Released = { subaccount_id: string; failing_since_ms: string; passed: number };

const failingMs = `${nowMs} - e.failing_since_ms`;
const passed = failingSteps.map(([, ms]) => `(${failingMs} >= ${ms})::int`).join(" + ");

const releaseMany = statement<Released>(
  "lanes-release",
  `with r as materialized (
     select * from json_to_recordset($1) as r(subaccount_id uuid, epoch bigint, has_succeeded boolean,
       has_failed boolean, is_gone boolean, failure_score int, backoff_level int, open_ms bigint)
   ), released as (
     update webhook_endpoint e
     set owner = null, lease_until_ms = 0, failure_score = r.failure_score, backoff_level = r.backoff_level,
         open_until_ms = case when r.open_ms > 0 then ${nowMs} + r.open_ms else 0 end,
         failing_since_ms = case when r.has_failed and r.has_succeeded then ${nowMs}
                                 when r.has_failed then coalesce(e.failing_since_ms, ${nowMs})
                                 when r.has_succeeded then null
                                 else e.failing_since_ms end,
         failing_reported = case when r.has_succeeded then 0 else coalesce(${passed}, 0) end,
         disabled_at_ms = case when r.is_gone then ${nowMs} else e.disabled_at_ms end
     from r
     where e.subaccount_id = r.subaccount_id and e.epoch = r.epoch
     returning e.subaccount_id, e.failing_since_ms, e.failing_reported as passed
   )
   select released.* from released
   join webhook_endpoint before on before.subaccount_id = released.subaccount_id
   where released.passed > before.failing_reported`,
);

/** Those that have just passed one of the times after which somebody should know. */
export function releaseLanes(db: Runner, releases: readonly Release[]): Promise<Released[]> {
  const rows = releases.map((release) => ({
    subaccount_id: release.subaccountId,
    epoch: release.epoch,
    has_succeeded: release.hasSucceeded,
    has_failed: release.hasFailed,
    is_gone: release.isGone,
    failure_score: release.failure_score,
    backoff_level: release.openLevel,
    open_ms: release.openMs,
  }));
  return db.run(releaseMany, [JSON.stringify(rows)]);
}

const renewMany = statement<{ subaccount_id: string }>(
  "lanes-renew",
  `update webhook_endpoint set lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
   where owner = $1 and subaccount_id = any($2)
   returning subaccount_id`,
);

/** Those that are still its own. On the connection that shows that it lives: when that is gone, so are they. */
export async function renewLanes(
  presence: WorkerLock,
  subaccountIds: readonly string[],
): Promise<Set<string>> {
  const rows = await presence.run(renewMany, [presence.number, subaccountIds]);
  return new Set(rows.map(({ subaccount_id }) => subaccount_id));
}

const freeDead = statement<{ subaccount_id: string }>(
  "lanes-free-of-the-dead",
  `with dead as materialized (
     select number from delivery_worker
     where case when number <> $1 then pg_try_advisory_xact_lock(${workerLockClass}, number) else false end
   ), gone as (
     delete from delivery_worker where number in (select number from dead)
   )
   update webhook_endpoint e set owner = null, lease_until_ms = 0
   where e.owner in (select number from dead)
   returning e.subaccount_id`,
);

/** Frees the lanes of workers that are gone, and tells which. */
export async function releaseLanesOfLostWorkers(
  db: Runner,
  { number }: WorkerLock,
): Promise<string[]> {
  return (await db.run(freeDead, [number])).map(({ subaccount_id }) => subaccount_id);
}

const tooOldMs = `${nowMs} - ${limits.deliveryTriedMs} - 86400000`;
const restOld = statement<{ subaccount_id: string }>(
  "deliveries-rest-old",
  // For lanes on which nothing is tried any more: a day later than where it is.
  `${activeLanes}, old as materialized (
     select d.subaccount_id, d.number from active a cross join lateral (
       select d.subaccount_id, d.number, d.since_ms from delivery d
       where d.subaccount_id = a.subaccount_id order by d.number limit 1000
     ) d
     where a.since_ms < ${tooOldMs} and d.since_ms < ${tooOldMs}
   ), given_up as (
     delete from delivery d using old
     where d.subaccount_id = old.subaccount_id and d.number = old.number
     returning d.subaccount_id, d.event_id, d.attempts
   )
   insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
   select subaccount_id, event_id, attempts, ${nowMs} from given_up
   on conflict do nothing
   returning subaccount_id`,
);

/** How many were given up because their days are over. */
export async function abandonOldDeliveries(db: Db): Promise<number> {
  return (await db.run(restOld)).length;
}

export type DeliveryStateRow = {
  /** Null: nothing waits. */
  oldest_age_ms: string | null;
  open: number;
  disabled: number;
  failing: number[];
};

const findState = statement<DeliveryStateRow>(
  "delivery-state",
  `${activeLanes}
   select (select max(${nowMs} - a.since_ms)
           from active a join webhook_endpoint e on e.subaccount_id = a.subaccount_id
           where e.backoff_level = 0 and e.disabled_at_ms is null) as oldest_age_ms,
          count(*) filter (where e.backoff_level > 0 and e.disabled_at_ms is null)::int as open,
          count(*) filter (where e.disabled_at_ms is not null)::int as disabled,
          array[${failingSteps.map(([, ms]) => `count(*) filter (where ${failingMs} >= ${ms})::int`)}] as failing
   from webhook_endpoint e where e.failing_since_ms is not null or e.disabled_at_ms is not null`,
);

/** For those who watch over all subaccounts. The age leaves out endpoints that are known to be away. */
export async function findDeliveryState(db: Runner): Promise<DeliveryStateRow | undefined> {
  return (await db.run(findState))[0];
}
