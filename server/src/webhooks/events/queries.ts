// The SQL that inserts events and deletes old ones.

import { firstIdOf } from "../../platform/base/index.ts";
import { type Db, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { publishedTypes } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { OutboxEvent } from "./outbox.ts";

/** Whether a webhook endpoint of the subaccount asks for a type on request. `n`: its row of webhook_endpoint. */
export const isRequestedSql = (type: string, n: string): string =>
  `(${type} = any(${n}.event_types) or ${type} = any(${n}.further_types))`;

/** Whether the webhook endpoint of postback_url gets a type. */
export const isOfPostbackSql = (type: string, n: string): string =>
  `(${type} = any('{${publishedTypes}}') or ${type} = any(${n}.event_types))`;

// A test event goes there, too, but not a type that only further endpoints ask for. No endpoint is told of its own change.
const goesToPostback = `e.url <> '' and (not t.event_type = any(e.further_types) or ${isOfPostbackSql("t.event_type", "e")})
                       and not (t.order_key = t.subaccount_id and t.event_type like 'webhookEndpoint%')`;

/** A change has fewer events. */
export const laterMost = 8;

/**
 * Part of the statement that makes a change, so that change and event are committed together. Needs a CTE `new_events`
 * with call, subaccount_id, order_key, event_id, event_type, event_body and at_ms. Events are numbered in the order of
 * the calls. Without a webhook endpoint, an event is stored and no delivery is created. What further endpoints ask for is
 * noted once, however many they are, and becomes their deliveries later (delivery/fan-out-queries.ts).
 */
export const insertEventsSql = `inserted_events as (
     insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
     select t.subaccount_id, t.event_id, t.order_key, t.event_type,
            case when exists (select from subaccount s where s.id = t.subaccount_id and s.event_metadata)
              then body_with_metadata(t.subaccount_id, t.order_key, t.event_body) else t.event_body end, t.at_ms,
            exists (select from webhook_endpoint e where e.subaccount_id = t.subaccount_id and ${goesToPostback})
     from new_events t order by t.call
     returning subaccount_id, id, number, order_key, type, created_at_ms, wanted
   ), inserted_deliveries as (
     insert into delivery (subaccount_id, number, event_id, order_key, since_ms)
     select subaccount_id, number, id, order_key, created_at_ms from inserted_events where wanted
   ), inserted_fan_outs as (
     insert into event_fan_out (subaccount_id, number, event_id, order_key, type, since_ms)
     select i.subaccount_id, i.number, i.id, i.order_key, i.type, i.created_at_ms
     from inserted_events i join webhook_endpoint e on e.subaccount_id = i.subaccount_id and i.type = any(e.further_types)
   )`;

/**
 * Rows of `new_events` for the events on request of a change, after its published one. `moved` has subaccount_id, id, at_ms,
 * call and `later`: null, or a JSON list of events.
 */
export const laterEventsSql = `select ${laterMost} * m.call + l.place::int as call, m.subaccount_id, m.id as order_key,
            l.event_id, l.event_type, l.event_body, m.at_ms
     from moved m cross join lateral rows from (
       json_to_recordset(m.later) as (event_id uuid, event_type text, event_body text)
     ) with ordinality as l(event_id, event_type, event_body, place)
     where exists (select from webhook_endpoint n where n.subaccount_id = m.subaccount_id
                   and ${isRequestedSql("l.event_type", "n")})`;

/** As `laterEventsSql` reads them. Undefined: there are none. */
export function laterEvents(events: readonly OutboxEvent[]) {
  if (events.length === 0) return undefined;
  return events.map(({ id, type, body }) => ({ event_id: id, event_type: type, event_body: body }));
}

const insertOne = statement<{ wanted: boolean }>(
  "event-insert",
  `with new_events as (
     select 0 as call, $1::uuid as subaccount_id, $2::uuid as event_id, $3::uuid as order_key,
            $4::text as event_type, $5::text as event_body, $6::bigint as at_ms
   ), ${insertEventsSql}
   select wanted from inserted_events`,
);

type EventToInsert = OutboxEvent & { subaccountId: string; orderKey: string; atMs: number };

/** Inserts an event by itself, without a change. Returns whether it will be delivered: there is a webhook endpoint. */
export async function insertEvent(db: Runner, event: EventToInsert): Promise<boolean> {
  const { subaccountId, id, orderKey, type, body, atMs } = event;
  const [row] = await db.run(insertOne, [subaccountId, id, orderKey, type, body, atMs]);
  db.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountId));
  return row?.wanted === true;
}

const insertMany = statement<never>(
  "events-insert",
  `with new_events as (
     select * from json_to_recordset($1) as input(
       call int, subaccount_id uuid, event_id uuid, order_key uuid, event_type text, event_body text, at_ms bigint)
   ), ${insertEventsSql}
   select from inserted_events`,
);

function toEventRow(event: EventToInsert, call: number) {
  const { subaccountId, id, orderKey, type, body, atMs } = event;
  return {
    call,
    subaccount_id: subaccountId,
    event_id: id,
    order_key: orderKey,
    event_type: type,
    event_body: body,
    at_ms: atMs,
  };
}

/** Inserts many events in the transaction of their change. The caller has checked who requested the type. */
export async function insertEvents(tx: Tx, events: readonly EventToInsert[]): Promise<void> {
  await tx.run(insertMany, [JSON.stringify(events.map(toEventRow))]);
  tx.afterCommit(({ onEventCommitted }) => {
    const subaccountIds = events.map(({ subaccountId }) => subaccountId);
    for (const subaccountId of new Set(subaccountIds)) onEventCommitted(subaccountId);
  });
}

const insertRequested = statement<{ id: string }>(
  "event-insert-requested",
  `with new_events as (
     select 0 as call, $1::uuid as subaccount_id, $2::uuid as event_id, $3::uuid as order_key,
            $4::text as event_type, $5::text as event_body, $6::bigint as at_ms
     from webhook_endpoint n where n.subaccount_id = $1 and ${isRequestedSql("$4", "n")}
   ), ${insertEventsSql}
   select id from inserted_events`,
);

/** For types on request: inserts the event in the transaction of its change, if the subaccount requested the type. */
export async function insertRequestedEvent(tx: Tx, event: EventToInsert): Promise<void> {
  const { subaccountId, id, orderKey, type, body, atMs } = event;
  const rows = await tx.run(insertRequested, [subaccountId, id, orderKey, type, body, atMs]);
  if (rows.length > 0) tx.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountId));
}

const insertRequestedMany = statement<{ subaccount_id: string }>(
  "events-insert-requested",
  `with new_events as (
     select input.* from json_to_recordset($1) as input(
       call int, subaccount_id uuid, event_id uuid, order_key uuid, event_type text, event_body text, at_ms bigint)
     join webhook_endpoint n on n.subaccount_id = input.subaccount_id and ${isRequestedSql("input.event_type", "n")}
   ), ${insertEventsSql}
   select subaccount_id from inserted_events`,
);

/** The same for many events. */
export async function insertRequestedEvents(
  tx: Tx,
  events: readonly EventToInsert[],
): Promise<void> {
  const rows = await tx.run(insertRequestedMany, [JSON.stringify(events.map(toEventRow))]);
  tx.afterCommit(({ onEventCommitted }) => {
    for (const id of new Set(rows.map(({ subaccount_id }) => subaccount_id))) onEventCommitted(id);
  });
}

const realIds = statement<{ id: string }>(
  "event-real-ids",
  `select id from payout where subaccount_id = $1 and id = any($2)
   union all select id from receiver where subaccount_id = $1 and id = any($2)
   union all select id from receiver_account where subaccount_id = $1 and id = any($2)
   union all select id from ledger_transfer where subaccount_id = $1 and id = any($2)
   union all select endpoint_id from further_endpoint where subaccount_id = $1 and endpoint_id = any($2)`,
);

/** Returns those ids that belong to a payout, receiver, account or transfer of the subaccount. */
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
  "select keep_partitions_of('event', 7, $1)",
);

const keepAttempts = statement<never>(
  "attempt-partitions-keep",
  `select keep_partitions_of('delivery_attempt', 1, ${limits.attemptKeptDays})`,
);

/** Creates the partitions of the next days and drops those that are too old. */
export async function keepEventPartitions(db: Db, keptDays: number): Promise<void> {
  await db.run(keepEvents, [keptDays]);
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

/** Rows about events whose partitions were dropped. */
const rowsAboutEvents = [
  deleteOld("delivery_abandoned", "event_id"),
  deleteOld("further_delivery_abandoned", "event_id"),
  deleteOld("event_resend", "id"),
  deleteOld("event_recovery", "id", "done_at_ms is not null"),
  deleteOld("further_recovery", "id", "done_at_ms is not null"),
];

/** Over all subaccounts, in portions, so that no statement takes long. */
export async function deleteNotesOfOldEvents(
  db: Db,
  nowMs: number,
  keptDays: number,
): Promise<void> {
  const before = firstIdOf(nowMs - keptDays * 86_400_000);
  for (const expire of rowsAboutEvents) {
    let deleted = portion;
    while (deleted === portion) deleted = (await db.run(expire, [before])).length;
  }
}
