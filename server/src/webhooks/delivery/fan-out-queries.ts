// The SQL that makes a delivery of an event for each further endpoint that asks for its type.

import { type Db, statement, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { laneOf } from "../webhook-endpoints/index.ts";

/** The first key of the advisory lock. The second is the subaccount. */
const fanOutLockClass = 4_243;

const fanOut = statement<{ subaccount_id: string; endpoint_id: string | null; has_more: boolean }>(
  "events-fan-out",
  // One process at a time for each subaccount, and oldest events first: otherwise a later event of a payout could be there
  // before an earlier one. Rows that another process has taken since the start of the statement are not deleted again.
  `with input as materialized (
     select input.subaccount_id from unnest($1::uuid[]) as input(subaccount_id)
     where ${worksHere("input.subaccount_id")} order by hashtext(input.subaccount_id::text)
   ), locked as materialized (
     select subaccount_id, pg_advisory_xact_lock(${fanOutLockClass}, hashtext(subaccount_id::text)) from input
   ), next as materialized (
     select o.* from locked l cross join lateral (
       select * from event_fan_out o where o.subaccount_id = l.subaccount_id order by o.number limit ${limits.fanOutBatch}
     ) o
   ), taken as (
     delete from event_fan_out o using next n
     where o.subaccount_id = n.subaccount_id and o.number = n.number
     returning o.*
   ), added as (
     insert into further_delivery (subaccount_id, endpoint_id, number, event_id, order_key, since_ms)
     select t.subaccount_id, e.endpoint_id, t.number, t.event_id, t.order_key, t.since_ms
     from taken t join further_endpoint e on e.subaccount_id = t.subaccount_id
       and t.type = any(e.event_types) and t.order_key <> e.endpoint_id
     order by e.endpoint_id, t.number
     on conflict do nothing
     returning subaccount_id, endpoint_id
   )
   select distinct subaccount_id, endpoint_id, false as has_more from added
   union all
   select subaccount_id, null, true from next group by 1 having count(*) = ${limits.fanOutBatch}`,
);

type FannedOut = { lanes: string[]; moreIn: string[] };

/** Returns the lanes with new deliveries, and the subaccounts that have more events. */
export async function fanOutEvents(db: Db, subaccountIds: readonly string[]): Promise<FannedOut> {
  const rows = await db.run(fanOut, [subaccountIds]);
  const lanes = rows.filter(({ has_more }) => !has_more);
  return {
    lanes: lanes.map((row) => laneOf({ ...row, endpoint_id: row.endpoint_id ?? undefined })),
    moreIn: rows.filter(({ has_more }) => has_more).map(({ subaccount_id }) => subaccount_id),
  };
}

const fanningOut = statement<{ subaccount_id: string; has_events: boolean }>(
  "subaccounts-fan-out",
  // Goes through the index from one subaccount to the next.
  `with recursive waiting(subaccount_id) as (
     (select subaccount_id from event_fan_out order by subaccount_id limit 1)
     union all
     select next.subaccount_id from waiting w cross join lateral (
       select o.subaccount_id from event_fan_out o where o.subaccount_id > w.subaccount_id
       order by o.subaccount_id limit 1
     ) next
   )
   select subaccount_id, bool_or(has_events) as has_events from (
     select subaccount_id, true as has_events from waiting
     union all select distinct subaccount_id, false from further_endpoint
   ) s where ${worksHere("s.subaccount_id")} group by 1`,
);

/** Subaccounts with further endpoints, and whether events wait to be fanned out. */
export function listFanningOut(db: Db): Promise<{ subaccount_id: string; has_events: boolean }[]> {
  return db.run(fanningOut);
}
