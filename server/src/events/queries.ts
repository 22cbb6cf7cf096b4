// The SQL by which an event comes into being, and by which old ones go.

import { firstIdOf } from "../cursor.ts";
import { type Db, type Runner, statement, type Tx } from "../db/connect.ts";
import { limits } from "../limits.ts";
import type { OutboxEvent } from "./outbox.ts";

/**
 * For the statement that makes a change, so that change and event are committed together. Needs a `to_tell` with
 * call, subaccount_id, order_key, event_id, event_type, event_body and at_ms. The numbers are given in the order of
 * the calls. The event waits for delivery where there is an endpoint; where there is none, it is only kept.
 */
export const insertEventsSql = `announced as (
     insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
     select t.subaccount_id, t.event_id, t.order_key, t.event_type, t.event_body, t.at_ms,
            exists (select from webhook_endpoint e where e.subaccount_id = t.subaccount_id and e.url <> '')
     from to_tell t order by t.call
     returning subaccount_id, id, number, order_key, created_at_ms, wanted
   ), waiting as (
     insert into delivery (subaccount_id, number, event_id, order_key, since_ms)
     select subaccount_id, number, id, order_key, created_at_ms from announced where wanted
   )`;

const insertOne = statement<{ wanted: boolean }>(
  "event-insert",
  `with to_tell as (
     select 0 as call, $1::uuid as subaccount_id, $2::uuid as event_id, $3::uuid as order_key,
            $4::text as event_type, $5::text as event_body, $6::bigint as at_ms
   ), ${insertEventsSql}
   select wanted from announced`,
);

export type EventToInsert = OutboxEvent & { subaccountId: string; orderKey: string; atMs: number };

/** An event that comes with no change. Whether there is somebody to tell. */
export async function insertEvent(db: Runner, event: EventToInsert): Promise<boolean> {
  const { subaccountId, id, orderKey, type, body, atMs } = event;
  const [row] = await db.run(insertOne, [subaccountId, id, orderKey, type, body, atMs]);
  db.afterCommit(({ onEventCommitted: told }) => told(subaccountId));
  return row?.wanted === true;
}

const insertRequested = statement<{ id: string }>(
  "event-insert-requested",
  `with to_tell as (
     select 0 as call, $1::uuid as subaccount_id, $2::uuid as event_id, $3::uuid as order_key,
            $4::text as event_type, $5::text as event_body, $6::bigint as at_ms
     from webhook_endpoint n where n.subaccount_id = $1 and $4 = any(n.event_types)
   ), ${insertEventsSql}
   select id from announced`,
);

/** For types on request: an event in the transaction of its change, where the subaccount asked for the type. */
export async function insertRequestedEvent(tx: Tx, event: EventToInsert): Promise<void> {
  const { subaccountId, id, orderKey, type, body, atMs } = event;
  const rows = await tx.run(insertRequested, [subaccountId, id, orderKey, type, body, atMs]);
  if (rows.length > 0) tx.afterCommit(({ onEventCommitted: told }) => told(subaccountId));
}

const realIds = statement<{ id: string }>(
  "event-real-ids",
  `select id from payout where subaccount_id = $1 and id = any($2)
   union all select id from receiver where subaccount_id = $1 and id = any($2)
   union all select id from receiver_account where subaccount_id = $1 and id = any($2)`,
);

/** Those that are ids of the subaccount's payouts, receivers or accounts. */
export async function findRealIds(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.run(realIds, [subaccountId, ids]);
  return new Set(rows.map(({ id }) => id));
}

const keepEvents = statement<never>(
  "event-partitions-keep",
  `select keep_partitions_of('event', 7, ${limits.eventKeptDays})`,
);

const keepAttempts = statement<never>(
  "attempt-partitions-keep",
  `select keep_partitions_of('delivery_attempt', 1, ${limits.attemptKeptDays})`,
);

/** Makes room for what comes and drops what is older than it is kept. */
export async function keepEventPartitions(db: Db): Promise<void> {
  await db.run(keepEvents);
  await db.run(keepAttempts);
}

const portion = 5_000;
const deleteOld = (table: string, id: string, isOver = "true") =>
  statement<{ id: string }>(
    `${table.replaceAll("_", "-")}-expire`,
    `delete from ${table} where (subaccount_id, ${id}) in (
       select subaccount_id, ${id} from ${table} where ${id} < $1 and ${isOver} limit ${portion}
     ) returning ${id} as id`,
  );

/** What is noted of events that are no longer kept. */
const notesOfEvents = [
  deleteOld("delivery_abandoned", "event_id"),
  deleteOld("event_resend", "id"),
  deleteOld("event_recovery", "id", "done_at_ms is not null"),
];

/** Over all subaccounts, in portions: however many there are, no statement takes long. */
export async function deleteNotesOfOldEvents(db: Db, nowMs: number): Promise<void> {
  const before = firstIdOf(nowMs - limits.eventKeptDays * 86_400_000);
  for (const expire of notesOfEvents) {
    let deleted = portion;
    while (deleted === portion) deleted = (await db.run(expire, [before])).length;
  }
}
