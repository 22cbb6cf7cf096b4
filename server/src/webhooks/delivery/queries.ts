// The SQL of delivery: claim lanes, read due deliveries, record outcomes, release lanes. All times are the database's,
// so the clocks of the processes don't matter. Each statement is there twice: for the webhook endpoints of postback_url
// and for the further ones, which have tables of their own. A lane is named by subaccount and endpoint (`laneOf`).

import { type Db, type Runner, statement, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type EndpointTables,
  endpointOfLane,
  furtherTables,
  isSame,
  keyOf,
  laneOf,
  postbackTables,
} from "../webhook-endpoints/index.ts";
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

const hasDue = (t: EndpointTables) => `exists (
       select from ${t.delivery} d where ${isSame(t, "d", "e")} and d.due_at_ms <= ${nowMs})`;

// Goes through the index from one subaccount with deliveries to the next, and reads the first delivery of each. The
// cost grows with the number of subaccounts, not of deliveries.
export const activeLanes = (t: EndpointTables) =>
  `with recursive active(${keyOf(t)}, due_at_ms, since_ms) as (
     (select ${keyOf(t)}, due_at_ms, since_ms from ${t.delivery} order by ${keyOf(t)}, number limit 1)
     union all
     select next.* from active a cross join lateral (
       select ${keyOf(t, "d")}, d.due_at_ms, d.since_ms from ${t.delivery} d where (${keyOf(t, "d")}) > (${keyOf(t, "a")})
       order by ${keyOf(t, "d")}, d.number limit 1
     ) next
   )`;

/** `endpoint_id`: of a further endpoint. */
type LaneRow = { subaccount_id: string; endpoint_id?: string };

const findFree = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}lanes-find`,
    `${activeLanes(t)}
   select ${keyOf(t, "e")} from active a join ${t.endpoint} e on ${isSame(t, "e", "a")}
   where ${isFree("$1")} and (a.due_at_ms <= ${nowMs} or ${hasDue(t)})`,
  );

export type WebhookSecretRow = { id: string; sealed: string; expires_at_ms: number | null };

export type ClaimedLane = LaneRow & {
  epoch: string;
  url: string;
  backoff_level: number;
  failure_score: number;
  secrets: WebhookSecretRow[] | null;
  /** Base64. Null: it has no headers of its own. */
  headers_sealed?: string | null;
  /** Of a further endpoint. */
  format?: "full" | "thin";
  /** The trace of its oldest delivery. Read only where tracing is on. */
  traceparent?: string | null;
};

/** `traceparent`: two columns, that of a claimed lane and that of a lane which another worker holds. */
const lanesClaim = (t: EndpointTables, name: string, traceparent = { claimed: "", held: "" }) => {
  const isFurther = t.prefix !== "";
  const format = isFurther ? ", e.format" : "";
  return statement<(ClaimedLane & { is_held: false }) | HeldLane>(
    `${t.prefix}${name}`,
    // Compare and set on the lease: of two processes that claim a lane, one gets it. Sorted, so that two statements
    // lock rows in the same order.
    `with input as materialized (
     select ${keyOf(t, "input")} from unnest($1::uuid[]${isFurther ? ", $3::uuid[]" : ""}) as input(${keyOf(t)})
     order by ${keyOf(t, "input")}
   ), claimed as (
     update ${t.endpoint} e
     set owner = $2, epoch = e.epoch + 1, lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
     from input
     where ${isSame(t, "e", "input")} and ${isFree("$2")} and ${hasDue(t)}
     returning ${keyOf(t, "e")}, e.epoch, e.url, e.backoff_level, e.failure_score,
               encode(e.headers_sealed, 'base64') as headers_sealed${format}
   )
   select c.*, false as is_held,
          (select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'),
                                             'expires_at_ms', s.expires_at_ms) order by s.id desc)
           from ${t.secret} s
           where ${isSame(t, "s", "c")}
             and (s.expires_at_ms is null or s.expires_at_ms > ${nowMs})) as secrets${traceparent.claimed}
   from claimed c
   union all
   select ${keyOf(t, "e")}, e.epoch, '', 0, 0, null${isFurther ? ", ''" : ""}, true, null${traceparent.held}
   from ${t.endpoint} e join input on ${isSame(t, "input", "e")}
   where e.lease_until_ms > ${nowMs} and e.owner <> $2`,
  );
};

const claimTraced = (t: EndpointTables) =>
  lanesClaim(t, "lanes-claim-traced", {
    claimed: `, (select v.traceparent from event v
           where v.subaccount_id = c.subaccount_id and v.id = (
             select d.event_id from ${t.delivery} d where ${isSame(t, "d", "c")}
             order by d.number limit 1)) as traceparent`,
    held: ", null",
  });

type HeldLane = LaneRow & { is_held: true };

export type ClaimResult = { lanes: ClaimedLane[]; heldElsewhere: string[] };

export type DueDelivery = LaneRow & {
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

const dueDeliveries = (t: EndpointTables, name: string, traceparent = "") =>
  statement<DueDelivery>(
    `${t.prefix}${name}`,
    // A delivery that waits for its retry holds back later ones with the same order key, and no others. Reads the first
    // hundred deliveries and then their events: in a plain join, PostgreSQL would read and sort the whole lane.
    `select ${keyOf(t, "l")}, d.number, d.event_id, d.order_key, d.attempts, d.since_ms,
          ${nowMs} - d.since_ms as age_ms, v.body${traceparent}
   from json_to_recordset($1) as l(${keyTypes(t)}, epoch bigint, taken bigint[])
   cross join lateral (
     select from ${t.endpoint} e
     where ${isSame(t, "e", "l")} and e.epoch = l.epoch and ${worksHere("e.subaccount_id")} limit 1
   ) e
   cross join lateral (
     select d.number, d.event_id, d.order_key, d.attempts, d.since_ms from ${t.delivery} d
     where ${isSame(t, "d", "l")} and d.due_at_ms <= ${nowMs} and d.number <> all(l.taken)
       and not exists (
         select from ${t.delivery} x
         where ${isSame(t, "x", "l")} and x.order_key = d.order_key and x.attempts > 0
           and x.number < d.number and x.due_at_ms > ${nowMs})
     order by d.number limit ${limits.laneFetchMax}
   ) d
   cross join lateral (
     select v.body${traceparent} from event v
     where v.subaccount_id = l.subaccount_id and v.id = d.event_id limit 1
   ) v`,
  );

export type DueRequest = { lane: string; epoch: string; taken: readonly string[] };

/** The key of a lane, as the statements read it. */
function rowOf(lane: string): LaneRow {
  const { subaccountId, endpointId } = endpointOfLane(lane);
  return { subaccount_id: subaccountId, ...(endpointId && { endpoint_id: endpointId }) };
}

const keyTypes = ({ key }: EndpointTables, alias = "") =>
  key.map((column) => `${alias}${column} uuid`).join(", ");

/** One attempt, as the statement reads it. */
export type DeliveryOutcomeRow = LaneRow & {
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

const recordMany = (t: EndpointTables) => {
  const endpoint = t.prefix === "" ? "" : ", endpoint_id";
  return statement<{ repeated: number }>(
    `${t.prefix}deliveries-record`,
    // A success counts even if another worker owns the lane by now. A failure is written only by the owner.
    `with r as materialized (
     select r.*, e.epoch is not null as is_owner
     from json_to_recordset($1) as r(${keyTypes(t)}, epoch bigint, number bigint, event_id uuid,
       attempt_id uuid, attempt int, result text, retry_after_ms bigint, status int, failure text,
       detail text, took_ms int, answer text)
     left join ${t.endpoint} e on ${isSame(t, "e", "r")} and e.epoch = r.epoch
   ), delivered as (
     delete from ${t.delivery} d using r
     where ${isSame(t, "d", "r")} and d.number = r.number and r.result = 'delivered'
     returning d.number
   ), retried as (
     update ${t.delivery} d set attempts = r.attempt, due_at_ms = ${nowMs} + r.retry_after_ms
     from r
     where ${isSame(t, "d", "r")} and d.number = r.number and r.result = 'retry' and r.is_owner
   ), abandoned as (
     delete from ${t.delivery} d using r
     where ${isSame(t, "d", "r")} and d.number = r.number and r.result = 'abandoned' and r.is_owner
     returning ${keyOf(t, "d")}, d.event_id, r.attempt
   ), kept_for_resend as (
     insert into ${t.abandoned} (${keyOf(t)}, event_id, attempts, abandoned_at_ms)
     select ${keyOf(t)}, event_id, attempt, ${nowMs} from abandoned
     on conflict (${keyOf(t)}, event_id)
     do update set attempts = excluded.attempts, abandoned_at_ms = excluded.abandoned_at_ms
   ), attempts as (
     insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer${endpoint})
     select subaccount_id, event_id, attempt_id, attempt, status, failure, detail, took_ms, answer${endpoint} from r
     on conflict do nothing
   )
   select (select count(*) from r where result = 'delivered')::int - (select count(*) from delivered)::int as repeated`,
  );
};

export type Release = {
  lane: string;
  epoch: string;
  hasSucceeded: boolean;
  /** Since the last success. */
  hasFailed: boolean;
  isGone: boolean;
  failureScore: number;
  backoffLevel: number;
  backoffMs: number;
};

type Released = LaneRow & { failing_since_ms: string; passed: number };

const failingMs = `${nowMs} - e.failing_since_ms`;
const passed = failingSteps.map(([, ms]) => `(${failingMs} >= ${ms})::int`).join(" + ");

const releaseMany = (t: EndpointTables) =>
  statement<Released>(
    `${t.prefix}lanes-release`,
    `with r as materialized (
     select * from json_to_recordset($1) as r(${keyTypes(t)}, epoch bigint, has_succeeded boolean,
       has_failed boolean, is_gone boolean, failure_score int, backoff_level int, backoff_ms bigint)
   ), released as (
     update ${t.endpoint} e
     set owner = null, lease_until_ms = 0, failure_score = r.failure_score, backoff_level = r.backoff_level,
         open_until_ms = case when r.backoff_ms > 0 then ${nowMs} + r.backoff_ms else 0 end,
         failing_since_ms = case when r.has_failed and r.has_succeeded then ${nowMs}
                                 when r.has_failed then coalesce(e.failing_since_ms, ${nowMs})
                                 when r.has_succeeded then null
                                 else e.failing_since_ms end,
         failing_reported = case when r.has_succeeded then 0 else coalesce(${passed}, 0) end,
         -- It could sign.
         secret_unreadable_since_ms = null,
         disabled_at_ms = case when r.is_gone then ${nowMs} else e.disabled_at_ms end,
         disabled_because = case when r.is_gone then 'gone' else e.disabled_because end,
         untold = case when r.is_gone then 'disabled' else e.untold end
     from r
     where ${isSame(t, "e", "r")} and e.epoch = r.epoch
     returning ${keyOf(t, "e")}, e.failing_since_ms, e.failing_reported as passed
   )
   select released.* from released
   join ${t.endpoint} before on ${isSame(t, "before", "released")}
   where released.passed > before.failing_reported`,
  );

const releaseUnsigned = (t: EndpointTables) =>
  statement<{ is_new: boolean }>(
    `${t.prefix}lane-release-unsigned`,
    // It is claimed again after the pause, because the key may have been added meanwhile. An endpoint that may be disabled
    // is disabled at once: its subaccount learns it, and can rotate the secret.
    `update ${t.endpoint} e
   set owner = null, lease_until_ms = 0, open_until_ms = ${nowMs} + ${limits.unreadableSecretPauseMs},
       secret_unreadable_since_ms = coalesce(e.secret_unreadable_since_ms, ${nowMs}),
       disabled_at_ms = case when e.disable_after_days is null then e.disabled_at_ms else ${nowMs} end,
       disabled_because = case when e.disable_after_days is null then e.disabled_because else 'secret' end,
       untold = case when e.disable_after_days is null then e.untold else 'disabled' end
   from json_to_record($1) as r(${keyTypes(t)}, epoch bigint), ${t.endpoint} before
   where ${isSame(t, "e", "r")} and e.epoch = r.epoch and ${isSame(t, "before", "e")}
   returning before.secret_unreadable_since_ms is null as is_new`,
  );

const renewMany = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}lanes-renew`,
    `update ${t.endpoint} e set lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
   from json_to_recordset($2) as r(${keyTypes(t)})
   where e.owner = $1 and ${isSame(t, "e", "r")}
   returning ${keyOf(t, "e")}`,
  );

const tooOldMs = `${nowMs} - ${limits.deliveryTriedMs} - 86400000`;
const abandonOld = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}deliveries-abandon-old`,
    // For lanes on which nothing is sent any more, such as disabled ones. A day later than the attempts themselves
    // would end.
    `${activeLanes(t)}, old as materialized (
     select ${keyOf(t, "d")}, d.number from active a cross join lateral (
       select ${keyOf(t, "d")}, d.number, d.since_ms from ${t.delivery} d
       where ${isSame(t, "d", "a")} order by d.number limit 1000
     ) d
     where a.since_ms < ${tooOldMs} and d.since_ms < ${tooOldMs} and ${worksHere("a.subaccount_id")}
   ), abandoned as (
     delete from ${t.delivery} d using old
     where ${isSame(t, "d", "old")} and d.number = old.number
     returning ${keyOf(t, "d")}, d.event_id, d.attempts
   )
   insert into ${t.abandoned} (${keyOf(t)}, event_id, attempts, abandoned_at_ms)
   select ${keyOf(t)}, event_id, attempts, ${nowMs} from abandoned
   on conflict do nothing
   returning ${keyOf(t)}`,
  );

/** The statements of the lanes of one kind of endpoint. */
function laneQueries(t: EndpointTables) {
  const find = findFree(t);
  const claim = { plain: lanesClaim(t, "lanes-claim"), traced: claimTraced(t) };
  const due = {
    plain: dueDeliveries(t, "deliveries-due"),
    traced: dueDeliveries(t, "deliveries-due-traced", ", v.traceparent"),
  };
  const record = recordMany(t);
  const release = releaseMany(t);
  const unsigned = releaseUnsigned(t);
  const renew = renewMany(t);
  const abandon = abandonOld(t);
  const isFurther = t.prefix !== "";

  return {
    /** Lanes with due deliveries that no worker serves. */
    async findFreeLanes(db: Runner, owner: number): Promise<string[]> {
      return (await db.run(find, [owner])).map(laneOf);
    },

    async claimLanes(
      db: Runner,
      { owner, lanes }: { owner: number; lanes: readonly string[] },
    ): Promise<ClaimResult> {
      const keys = lanes.map(endpointOfLane);
      const subaccountIds = keys.map(({ subaccountId }) => subaccountId);
      const endpointIds = keys.map(({ endpointId }) => endpointId);
      const values = [subaccountIds, owner, ...(isFurther ? [endpointIds] : [])];
      const rows = await db.run(db.listeners.tracer ? claim.traced : claim.plain, values);
      return {
        lanes: rows.filter((row): row is ClaimedLane & { is_held: false } => !row.is_held),
        heldElsewhere: rows.filter((row) => row.is_held).map(laneOf),
      };
    },

    /** The due deliveries of each lane, oldest first. None for a lane that another worker has claimed since. */
    async listDueDeliveries(db: Runner, requests: readonly DueRequest[]): Promise<DueDelivery[][]> {
      const rows = requests.map(({ lane, ...rest }) => ({ ...rowOf(lane), ...rest }));
      const fetchDue = db.listeners.tracer ? due.traced : due.plain;
      const byLane = new Map<string, DueDelivery[]>(requests.map(({ lane }) => [lane, []]));
      for (const row of await db.run(fetchDue, [JSON.stringify(rows)])) {
        byLane.get(laneOf(row))?.push(row);
      }
      return requests.map(({ lane }) => byLane.get(lane) ?? []);
    },

    /** Records attempts with their outcomes. Returns how many deliveries had been recorded as delivered before. */
    async recordOutcomes(db: Runner, outcomes: readonly DeliveryOutcomeRow[]): Promise<number> {
      const [row] = await db.run(record, [JSON.stringify(outcomes)]);
      db.afterCommit(({ changed }) => {
        for (const { subaccount_id } of outcomes) changed(subaccount_id, "events");
      });
      return row?.repeated ?? 0;
    },

    /** Returns the endpoints that have just failed for 1 hour, 24 hours or 7 days, which is worth a warning. */
    releaseLanes(db: Runner, releases: readonly Release[]): Promise<Released[]> {
      const rows = releases.map((release) => ({
        ...rowOf(release.lane),
        epoch: release.epoch,
        has_succeeded: release.hasSucceeded,
        has_failed: release.hasFailed,
        is_gone: release.isGone,
        failure_score: release.failureScore,
        backoff_level: release.backoffLevel,
        backoff_ms: release.backoffMs,
      }));
      return db.run(release, [JSON.stringify(rows)]);
    },

    /** Returns true when the secret was not known to be unreadable before. */
    async releaseUnsignedLane(db: Runner, lane: string, epoch: string): Promise<boolean> {
      const [row] = await db.run(unsigned, [JSON.stringify({ ...rowOf(lane), epoch })]);
      const { subaccountId } = endpointOfLane(lane);
      db.afterCommit(({ changed }) => changed(subaccountId, "events"));
      return row?.is_new ?? false;
    },

    /** Returns the lanes that it still owns. Runs on the connection that holds the lock: without it, the lanes are lost. */
    async renewLanes(lock: WorkerLock, lanes: readonly string[]): Promise<Set<string>> {
      const values = [lock.number, JSON.stringify(lanes.map(rowOf))];
      return new Set((await lock.run(renew, values)).map(laneOf));
    },

    /** Returns how many deliveries became too old and were abandoned. */
    async abandonOldDeliveries(db: Db): Promise<number> {
      return (await db.run(abandon)).length;
    },
  };
}

export type LaneQueries = ReturnType<typeof laneQueries>;

export const postbackLanes = laneQueries(postbackTables);
export const furtherLanes = laneQueries(furtherTables);

const releaseLost = statement<LaneRow>(
  "lanes-release-lost",
  `with lost as materialized (
     select number from delivery_worker
     where case when number <> $1 then pg_try_advisory_xact_lock(${workerLockClass}, number) else false end
   ), removed as (
     delete from delivery_worker where number in (select number from lost)
   ), released as (
     update webhook_endpoint e set owner = null, lease_until_ms = 0
     where e.owner in (select number from lost) and ${worksHere("e.subaccount_id")}
     returning e.subaccount_id
   ), released_further as (
     update further_endpoint e set owner = null, lease_until_ms = 0
     where e.owner in (select number from lost) and ${worksHere("e.subaccount_id")}
     returning e.subaccount_id, e.endpoint_id
   )
   select subaccount_id, null::uuid as endpoint_id from released
   union all select subaccount_id, endpoint_id from released_further`,
);

/** Releases the lanes of workers whose lock is free, and returns these lanes. */
export async function releaseLanesOfLostWorkers(
  db: Runner,
  { number }: WorkerLock,
): Promise<string[]> {
  return (await db.run(releaseLost, [number])).map(laneOf);
}
