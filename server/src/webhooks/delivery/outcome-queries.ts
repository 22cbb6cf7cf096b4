// The SQL of a claimed lane: record outcomes, keep its lease, release it, and abandon what is too old.

import { statement, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type EndpointTables, keyOf, sameEndpoint } from "../webhook-endpoints/index.ts";
import { activeLanes, keyTypes, type LaneRow, nowMs } from "./lane-queries.ts";
import { type DeliveryResult, failingSteps } from "./retry.ts";

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

export const recordMany = (t: EndpointTables) => {
  const endpoint = t.prefix === "" ? "" : ", endpoint_id";
  return statement<{ repeated: number }>(
    `${t.prefix}deliveries-record`,
    // A success counts even if another worker owns the lane by now. A failure is written only by the owner.
    `with r as materialized (
     select r.*, e.epoch is not null as is_owner
     from json_to_recordset($1) as r(${keyTypes(t)}, epoch bigint, number bigint, event_id uuid,
       attempt_id uuid, attempt int, result text, retry_after_ms bigint, status int, failure text,
       detail text, took_ms int, answer text)
     left join ${t.endpoint} e on ${sameEndpoint(t, "e", "r")} and e.epoch = r.epoch
   ), delivered as (
     delete from ${t.delivery} d using r
     where ${sameEndpoint(t, "d", "r")} and d.number = r.number and r.result = 'delivered'
     returning d.number
   ), retried as (
     update ${t.delivery} d set attempts = r.attempt, due_at_ms = ${nowMs} + r.retry_after_ms
     from r
     where ${sameEndpoint(t, "d", "r")} and d.number = r.number and r.result = 'retry' and r.is_owner
   ), abandoned as (
     delete from ${t.delivery} d using r
     where ${sameEndpoint(t, "d", "r")} and d.number = r.number and r.result = 'abandoned' and r.is_owner
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

export type Released = LaneRow & { failing_since_ms: string; passed: number };

const failingMs = `${nowMs} - e.failing_since_ms`;
const passed = failingSteps.map(([, ms]) => `(${failingMs} >= ${ms})::int`).join(" + ");

export const releaseMany = (t: EndpointTables) =>
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
     where ${sameEndpoint(t, "e", "r")} and e.epoch = r.epoch
     returning ${keyOf(t, "e")}, e.failing_since_ms, e.failing_reported as passed
   )
   select released.* from released
   join ${t.endpoint} before on ${sameEndpoint(t, "before", "released")}
   where released.passed > before.failing_reported`,
  );

export const releaseUnsigned = (t: EndpointTables) =>
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
   where ${sameEndpoint(t, "e", "r")} and e.epoch = r.epoch and ${sameEndpoint(t, "before", "e")}
   returning before.secret_unreadable_since_ms is null as is_new`,
  );

export const renewMany = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}lanes-renew`,
    `update ${t.endpoint} e set lease_until_ms = ${nowMs} + ${limits.laneLeaseMs}
   from json_to_recordset($2) as r(${keyTypes(t)})
   where e.owner = $1 and ${sameEndpoint(t, "e", "r")}
   returning ${keyOf(t, "e")}`,
  );

const tooOldMs = `${nowMs} - ${limits.deliveryTriedMs} - 86400000`;
export const abandonOld = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}deliveries-abandon-old`,
    // For lanes on which nothing is sent any more, such as disabled ones. A day later than the attempts themselves
    // would end.
    `${activeLanes(t)}, old as materialized (
     select ${keyOf(t, "d")}, d.number from active a cross join lateral (
       select ${keyOf(t, "d")}, d.number, d.since_ms from ${t.delivery} d
       where ${sameEndpoint(t, "d", "a")} order by d.number limit 1000
     ) d
     where a.since_ms < ${tooOldMs} and d.since_ms < ${tooOldMs} and ${worksHere("a.subaccount_id")}
   ), abandoned as (
     delete from ${t.delivery} d using old
     where ${sameEndpoint(t, "d", "old")} and d.number = old.number
     returning ${keyOf(t, "d")}, d.event_id, d.attempts
   )
   insert into ${t.abandoned} (${keyOf(t)}, event_id, attempts, abandoned_at_ms)
   select ${keyOf(t)}, event_id, attempts, ${nowMs} from abandoned
   on conflict do nothing
   returning ${keyOf(t)}`,
  );
