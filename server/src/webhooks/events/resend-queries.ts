// The SQL that resends events: one, or all of a time range.

import { type Db, type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { EventKey } from "./list-queries.ts";
import { isOfPostbackSql } from "./queries.ts";

const resendOne = statement<{ id: string }>(
  "event-resend",
  // Without a webhook endpoint the event only goes to the feed. $6: the id of the only endpoint, or null.
  `with found as (
     select e.subaccount_id, e.id, e.number, e.order_key, e.type,
            n.url <> '' and ($6::uuid is null or $6 = n.subaccount_id)
            and (e.wanted or $6 is not null or not e.type = any(n.further_types)
                 or ${isOfPostbackSql("e.type", "n")}) as has_endpoint
     from event e join webhook_endpoint n on n.subaccount_id = e.subaccount_id
     where e.subaccount_id = $1 and e.id = $2
   ), due_again as (
     insert into delivery (subaccount_id, number, event_id, order_key, since_ms)
     select subaccount_id, number, id, order_key, $3 from found where has_endpoint
     on conflict (subaccount_id, number) do update set due_at_ms = 0
   ), no_longer_abandoned as (
     delete from delivery_abandoned r using found f
     where r.subaccount_id = f.subaccount_id and r.event_id = f.id and f.has_endpoint
   ), marked_wanted as (
     update event e set wanted = true from found f
     where e.subaccount_id = $1 and e.id = $2 and f.has_endpoint and not e.wanted
   ), further as materialized (
     select f.*, n.endpoint_id from found f join further_endpoint n on n.subaccount_id = f.subaccount_id
       and f.type = any(n.event_types) and f.order_key <> n.endpoint_id and ($6 is null or $6 = n.endpoint_id)
   ), due_again_further as (
     insert into further_delivery (subaccount_id, endpoint_id, number, event_id, order_key, since_ms)
     select subaccount_id, endpoint_id, number, id, order_key, $3 from further
     on conflict (subaccount_id, endpoint_id, number) do update set due_at_ms = 0
   ), no_longer_abandoned_further as (
     delete from further_delivery_abandoned r using further f
     where r.subaccount_id = f.subaccount_id and r.endpoint_id = f.endpoint_id and r.event_id = f.id
   ), logged_resend as (
     insert into event_resend (subaccount_id, id, event_id, who)
     select subaccount_id, $4, id, $5 from found
   )
   select id from found`,
);

type Resend = EventKey & {
  resendId: string;
  who: string;
  nowMs: number;
  onlyId: string | undefined;
};

export async function updateResent(tx: Tx, resend: Resend): Promise<void> {
  const { subaccountId, id, nowMs, resendId, who, onlyId } = resend;
  await tx.run(resendOne, [subaccountId, id, nowMs, resendId, who, onlyId ?? null]);
  tx.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountId));
}

const insertOne = statement<{ id: string }>(
  "event-recovery-insert",
  `insert into event_recovery (subaccount_id, id, since_ms, until_ms, with_delivered, who, with_unsent, after_id)
   select subaccount_id, $2, $3, $4, $5, $6, $7, first_id_of($3)
   from webhook_endpoint where subaccount_id = $1 and url <> ''
   returning id`,
);

type RecoveryToInsert = EventKey & {
  sinceMs: number;
  untilMs: number;
  withDelivered: boolean;
  /** Include events from times without a webhook endpoint. */
  withUnsent: boolean;
  who: string;
};

/** Returns false if there is no webhook endpoint. */
export async function insertRecovery(tx: Tx, recovery: RecoveryToInsert): Promise<boolean> {
  const { subaccountId, id, sinceMs, untilMs, withDelivered, withUnsent, who } = recovery;
  const values = [subaccountId, id, sinceMs, untilMs, withDelivered, who, withUnsent];
  return (await tx.run(insertOne, values)).length > 0;
}

type RecoveryRow = { subaccount_id: string; id: string; after_id: string };

const openRecoveries = statement<RecoveryRow>(
  "event-recoveries-open",
  // Only the oldest recovery of a subaccount: they run one after the other.
  `select distinct on (subaccount_id) subaccount_id, id, after_id, advanced_at_ms from event_recovery
   where done_at_ms is null and ${worksHere("event_recovery.subaccount_id")} order by subaccount_id, id`,
);

export async function listOpenRecoveries(db: Db): Promise<RecoveryRow[]> {
  return db.run(openRecoveries);
}

const sentToPostback = (type: string) => `exists (
         select from webhook_endpoint w where w.subaccount_id = $1 and ${isOfPostbackSql(type, "w")})`;

const advance = statement<{ recovered: number }>(
  "event-recovery-advance",
  // If another process works on this recovery, the row is locked or after_id has changed, and nothing happens.
  `with mine as materialized (
     select * from event_recovery
     where subaccount_id = $1 and id = $2 and after_id = $3 and done_at_ms is null
       and advanced_at_ms <= $4::bigint - ${limits.recoverEveryMs}
     for update skip locked
   ), next as materialized (
     select e.subaccount_id, e.id, e.number, e.order_key, e.type, e.wanted, m.with_delivered, m.with_unsent
     from mine m cross join lateral (
       select * from event e
       where e.subaccount_id = $1 and e.id > m.after_id and e.id < first_id_of(m.until_ms)
       order by e.id limit ${limits.recoverBatch}
     ) e
   ), chosen as materialized (
     select n.* from next n
     where case when not n.wanted then n.with_unsent and ${sentToPostback("n.type")} else n.with_delivered
        or (select true from delivery d
            where d.subaccount_id = $1 and d.number = n.number limit 1)
        or (select true from delivery_abandoned r
            where r.subaccount_id = $1 and r.event_id = n.id limit 1) end
   ), due_again as (
     insert into delivery as waiting (subaccount_id, number, event_id, order_key, since_ms)
     select subaccount_id, number, id, order_key, $4 from chosen order by number
     on conflict (subaccount_id, number) do update set due_at_ms = 0 where waiting.due_at_ms > 0
   ), no_longer_abandoned as (
     delete from delivery_abandoned r
     where r.subaccount_id = $1 and r.event_id = any(array(select id from chosen))
   ), marked_wanted as (
     update event e set wanted = true
     where e.subaccount_id = $1 and not e.wanted
       and e.id = any(array(select id from chosen where not wanted))
   )
   update event_recovery r
   set after_id = coalesce((select id from next order by id desc limit 1), r.after_id),
       recovered = r.recovered + (select count(*) from chosen),
       advanced_at_ms = $4,
       done_at_ms = case when (select count(*) from next) < ${limits.recoverBatch} then $4 end
   from mine m
   where r.subaccount_id = m.subaccount_id and r.id = m.id
   returning (select count(*)::int from chosen) as recovered`,
);

/** Returns how many events are due again. 0: another process works on it, or it is not time yet. */
export async function advanceRecovery(
  db: Runner,
  { subaccount_id, id, after_id }: RecoveryRow,
  nowMs: number,
): Promise<number> {
  return (await db.run(advance, [subaccount_id, id, after_id, nowMs]))[0]?.recovered ?? 0;
}
