// The SQL of changes of webhook endpoints: those that failures disable, those that are still to be told to the other
// endpoints, and the rows of deleted ones.

import { type Db, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import {
  type EndpointTables,
  furtherTables,
  keyOf,
  laneOf,
  postbackTables,
} from "../webhook-endpoints/index.ts";
import { nowMs } from "./lane-queries.ts";

const dayMs = 86_400_000;

const disable = (t: EndpointTables) =>
  statement<{ subaccount_id: string }>(
    `${t.prefix}endpoints-disable`,
    `update ${t.endpoint} e
   set disabled_at_ms = ${nowMs}, disabled_because = 'failing', untold = 'disabled', epoch = e.epoch + 1, owner = null,
       lease_until_ms = 0
   where e.disable_after_days is not null and e.failing_since_ms <= ${nowMs} - e.disable_after_days * ${dayMs}::bigint
     and e.disabled_at_ms is null and e.url <> '' and ${worksHere("e.subaccount_id")}
   returning ${keyOf(t, "e")}`,
  );
const disableAll = [disable(postbackTables), disable(furtherTables)];

/** Disables the endpoints that have failed without a success for as long as they are allowed to. Their events wait. */
export async function disableFailingEndpoints(db: Db): Promise<number> {
  let count = 0;
  for (const disableMany of disableAll) count += (await db.run(disableMany)).length;
  return count;
}

export type UntoldChange = {
  subaccount_id: string;
  endpoint_id?: string;
  untold: "created" | "changed" | "rotated" | "paused" | "deleted" | "disabled";
  disabled_because: "gone" | "failing" | "secret" | null;
};

const takeUntold = (t: EndpointTables) =>
  statement<UntoldChange>(
    `${t.prefix}endpoints-untold`,
    // The row of a deleted one is found again until it is gone.
    `with untold as materialized (
     select ${keyOf(t)}, untold from ${t.endpoint} e
     where untold is not null and ${worksHere("e.subaccount_id")}
     order by ${keyOf(t)} limit 100 for update skip locked
   )
   update ${t.endpoint} e set untold = null from untold u
   where ${t.key.map((column) => `e.${column} = u.${column}`).join(" and ")}
   returning ${keyOf(t, "e")}, u.untold, e.disabled_because`,
  );
const untoldAll = [takeUntold(postbackTables), takeUntold(furtherTables)];

/** In the transaction that inserts the events about them. */
export async function takeUntoldChanges(tx: Tx): Promise<UntoldChange[]> {
  const found: UntoldChange[] = [];
  for (const untold of untoldAll) found.push(...(await tx.run(untold)));
  return found;
}

const removed = statement<{ subaccount_id: string; endpoint_id: string }>(
  "further-endpoints-removed",
  `select subaccount_id, endpoint_id from further_endpoint e
   where url = '' and untold is null and ${worksHere("e.subaccount_id")} limit 100`,
);

const portion = 5_000;
const deletePortion = (table: string, id: string) =>
  statement<{ one: number }>(
    `${table.replaceAll("_", "-")}-of-removed`,
    `delete from ${table} where subaccount_id = $1 and endpoint_id = $2 and ${id} in (
       select ${id} from ${table} where subaccount_id = $1 and endpoint_id = $2 limit ${portion})
     returning 1 as one`,
  );

/** The endpoint itself is last, so that a stop in between is continued. */
const rowsOfEndpoint = [
  deletePortion("further_delivery", "number"),
  deletePortion("further_delivery_abandoned", "event_id"),
  deletePortion("further_recovery", "id"),
  deletePortion("further_endpoint_secret", "id"),
  deletePortion("further_endpoint", "endpoint_id"),
];

/** Deletes what is left of deleted endpoints, in portions. Returns their lanes. */
export async function deleteRemovedEndpoints(db: Db): Promise<string[]> {
  const endpoints = await db.run(removed);
  for (const { subaccount_id, endpoint_id } of endpoints) {
    for (const rows of rowsOfEndpoint) {
      let deleted = portion;
      while (deleted === portion)
        deleted = (await db.run(rows, [subaccount_id, endpoint_id])).length;
    }
  }
  return endpoints.map(laneOf);
}
