// The SQL of recoveries to further endpoints. Each endpoint has its own, with its own progress.

import { type Db, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { laneOf } from "../webhook-endpoints/index.ts";

const insertOne = statement<never>(
  "further-recovery-insert",
  `insert into further_recovery (subaccount_id, id, endpoint_id, since_ms, until_ms, with_delivered, who, after_id)
   values ($1, $2, $3, $4, $5, $6, $7, first_id_of($4))`,
);

type FurtherRecovery = {
  subaccountId: string;
  id: string;
  endpointId: string;
  sinceMs: number;
  untilMs: number;
  withDelivered: boolean;
  who: string;
};

export async function insertFurtherRecovery(tx: Tx, recovery: FurtherRecovery): Promise<void> {
  const { subaccountId, id, endpointId, sinceMs, untilMs, withDelivered, who } = recovery;
  await tx.run(insertOne, [subaccountId, id, endpointId, sinceMs, untilMs, withDelivered, who]);
}

type OpenRecovery = { subaccount_id: string; endpoint_id: string; id: string; after_id: string };

const openRecoveries = statement<OpenRecovery>(
  "further-recoveries-open",
  // Only the oldest recovery of an endpoint: they run one after the other.
  `select distinct on (subaccount_id, endpoint_id) subaccount_id, endpoint_id, id, after_id from further_recovery
   where done_at_ms is null and ${worksHere("further_recovery.subaccount_id")} order by subaccount_id, endpoint_id, id`,
);

const advance = statement<{ recovered: number }>(
  "further-recovery-advance",
  // If another process works on this recovery, the row is locked or after_id has changed, and nothing happens.
  `with mine as materialized (
     select * from further_recovery
     where subaccount_id = $1 and id = $2 and after_id = $3 and done_at_ms is null
       and advanced_at_ms <= $4::bigint - ${limits.recoverEveryMs}
     for update skip locked
   ), next as materialized (
     select e.id, e.number, e.order_key, e.type, m.endpoint_id, m.with_delivered
     from mine m cross join lateral (
       select * from event e
       where e.subaccount_id = $1 and e.id > m.after_id and e.id < first_id_of(m.until_ms)
       order by e.id limit ${limits.recoverBatch}
     ) e
   ), chosen as materialized (
     select n.* from next n
     join further_endpoint f on f.subaccount_id = $1 and f.endpoint_id = n.endpoint_id
       and n.type = any(f.event_types) and n.order_key <> n.endpoint_id
     where n.with_delivered
        or (select true from further_delivery d
            where d.subaccount_id = $1 and d.endpoint_id = n.endpoint_id and d.number = n.number limit 1)
        or (select true from further_delivery_abandoned r
            where r.subaccount_id = $1 and r.endpoint_id = n.endpoint_id and r.event_id = n.id limit 1)
   ), due_again as (
     insert into further_delivery as waiting (subaccount_id, endpoint_id, number, event_id, order_key, since_ms)
     select $1, endpoint_id, number, id, order_key, $4 from chosen order by number
     on conflict (subaccount_id, endpoint_id, number) do update set due_at_ms = 0 where waiting.due_at_ms > 0
   ), no_longer_abandoned as (
     delete from further_delivery_abandoned r using chosen c
     where r.subaccount_id = $1 and r.endpoint_id = c.endpoint_id and r.event_id = c.id
   )
   update further_recovery r
   set after_id = coalesce((select id from next order by id desc limit 1), r.after_id),
       recovered = r.recovered + (select count(*) from chosen),
       advanced_at_ms = $4,
       done_at_ms = case when (select count(*) from next) < ${limits.recoverBatch} then $4 end
   from mine m
   where r.subaccount_id = m.subaccount_id and r.id = m.id
   returning (select count(*)::int from chosen) as recovered`,
);

/** Advances every open recovery by one step. Returns the lanes that have new deliveries. */
export async function advanceFurtherRecoveries(db: Db, nowMs = Date.now()): Promise<string[]> {
  const lanes: string[] = [];
  for (const recovery of await db.run(openRecoveries)) {
    const { subaccount_id, id, after_id } = recovery;
    const [row] = await db.run(advance, [subaccount_id, id, after_id, nowMs]);
    if ((row?.recovered ?? 0) > 0) lanes.push(laneOf(recovery));
  }
  return lanes;
}
