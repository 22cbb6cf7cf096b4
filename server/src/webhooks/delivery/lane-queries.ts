// The SQL of lanes: their key, those with deliveries, and those that are free. All times are the database's.

import { statement, worksHere } from "../../platform/db/index.ts";
import {
  type EndpointTables,
  endpointOfLane,
  keyOf,
  sameEndpoint,
} from "../webhook-endpoints/index.ts";

export const nowMs = "(extract(epoch from now()) * 1000)::bigint";

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
export type LaneRow = { subaccount_id: string; endpoint_id?: string };

/** The key of a lane, as the statements read it. */
export function rowOf(lane: string): LaneRow {
  const { subaccountId, endpointId } = endpointOfLane(lane);
  return { subaccount_id: subaccountId, ...(endpointId && { endpoint_id: endpointId }) };
}

export const keyTypes = ({ key }: EndpointTables, alias = "") =>
  key.map((column) => `${alias}${column} uuid`).join(", ");

/**
 * An owner that asks for its own lane failed to release it, and may claim it again. An owner that is not listed as a
 * worker claimed the lane after other workers had removed it from the list.
 */
export const isFree = (owner: string) => `(e.lease_until_ms <= ${nowMs} or e.owner = ${owner}
         or not exists (select from delivery_worker w where w.number = e.owner))
       and e.open_until_ms <= ${nowMs}
       and e.disabled_at_ms is null and e.url <> '' and ${worksHere("e.subaccount_id")}`;

export const hasDue = (t: EndpointTables) => `exists (
       select from ${t.delivery} d where ${sameEndpoint(t, "d", "e")} and d.due_at_ms <= ${nowMs})`;

export const findFree = (t: EndpointTables) =>
  statement<LaneRow>(
    `${t.prefix}lanes-find`,
    `${activeLanes(t)}
   select ${keyOf(t, "e")} from active a join ${t.endpoint} e on ${sameEndpoint(t, "e", "a")}
   where ${isFree("$1")} and (a.due_at_ms <= ${nowMs} or ${hasDue(t)})`,
  );
