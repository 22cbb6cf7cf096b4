// The SQL of delivery: claim lanes, read due deliveries, record outcomes, release lanes. All times are the database's,
// so the clocks of the processes don't matter. Each statement is there twice: for the webhook endpoints of postback_url
// and for the further ones, which have tables of their own. A lane is named by subaccount and endpoint (`laneOf`).

import { type Db, type Runner, statement, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type EndpointTables,
  endpointOfLane,
  furtherTables,
  keyOf,
  laneOf,
  postbackTables,
  sameEndpoint,
} from "../webhook-endpoints/index.ts";
import { findFree, hasDue, isFree, keyTypes, type LaneRow, nowMs, rowOf } from "./lane-queries.ts";
import {
  abandonOld,
  type DeliveryOutcomeRow,
  type Release,
  type Released,
  recordMany,
  releaseMany,
  releaseUnsigned,
  renewMany,
} from "./outcome-queries.ts";
import { type WorkerLock, workerLockClass } from "./worker-lock.ts";

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
     where ${sameEndpoint(t, "e", "input")} and ${isFree("$2")} and ${hasDue(t)}
     returning ${keyOf(t, "e")}, e.epoch, e.url, e.backoff_level, e.failure_score,
               encode(e.headers_sealed, 'base64') as headers_sealed${format}
   )
   select c.*, false as is_held,
          (select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'),
                                             'expires_at_ms', s.expires_at_ms) order by s.id desc)
           from ${t.secret} s
           where ${sameEndpoint(t, "s", "c")}
             and (s.expires_at_ms is null or s.expires_at_ms > ${nowMs})) as secrets${traceparent.claimed}
   from claimed c
   union all
   select ${keyOf(t, "e")}, e.epoch, '', 0, 0, null${isFurther ? ", ''" : ""}, true, null${traceparent.held}
   from ${t.endpoint} e join input on ${sameEndpoint(t, "input", "e")}
   where e.lease_until_ms > ${nowMs} and e.owner <> $2`,
  );
};

const claimTraced = (t: EndpointTables) =>
  lanesClaim(t, "lanes-claim-traced", {
    claimed: `, (select v.traceparent from event v
           where v.subaccount_id = c.subaccount_id and v.id = (
             select d.event_id from ${t.delivery} d where ${sameEndpoint(t, "d", "c")}
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
     where ${sameEndpoint(t, "e", "l")} and e.epoch = l.epoch and ${worksHere("e.subaccount_id")} limit 1
   ) e
   cross join lateral (
     select d.number, d.event_id, d.order_key, d.attempts, d.since_ms from ${t.delivery} d
     where ${sameEndpoint(t, "d", "l")} and d.due_at_ms <= ${nowMs} and d.number <> all(l.taken)
       and not exists (
         select from ${t.delivery} x
         where ${sameEndpoint(t, "x", "l")} and x.order_key = d.order_key and x.attempts > 0
           and x.number < d.number and x.due_at_ms > ${nowMs})
     order by d.number limit ${limits.laneFetchMax}
   ) d
   cross join lateral (
     select v.body${traceparent} from event v
     where v.subaccount_id = l.subaccount_id and v.id = d.event_id limit 1
   ) v`,
  );

export type DueRequest = { lane: string; epoch: string; taken: readonly string[] };

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
