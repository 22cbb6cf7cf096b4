// The SQL about recoveries: what one would send, those of a subaccount, and the end of one.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { EventKey } from "./list-queries.ts";
import { isOfPostbackSql } from "./queries.ts";

export type RecoveryScope = {
  subaccountId: string;
  sinceMs: number;
  untilMs: number;
  withDelivered: boolean;
  withUnsent: boolean;
};

const count = statement<{ found: number; unsent: number; looked_at: number }>(
  "event-recovery-count",
  // The same choice as the recovery makes.
  `with looked as materialized (
     select e.id, e.number, e.wanted from event e
     join webhook_endpoint w on w.subaccount_id = e.subaccount_id and (e.wanted or ${isOfPostbackSql("e.type", "w")})
     where e.subaccount_id = $1 and e.id >= first_id_of($2) and e.id < first_id_of($3)
     order by e.id desc limit ${limits.recoveryScannedMax}
   ), found as (
     select from looked e
     where case when not e.wanted then $5::boolean else $4::boolean
        or (select true from delivery d where d.subaccount_id = $1 and d.number = e.number limit 1)
        or (select true from delivery_abandoned r
            where r.subaccount_id = $1 and r.event_id = e.id limit 1) end
     limit ${limits.recoveryCountedMax + 1}
   )
   select (select count(*) from found)::int as found, (select count(*) from looked)::int as looked_at,
          (select count(*) from looked where not wanted)::int as unsent`,
);

/** Counts the events that a recovery would send and those that were never sent, up to a bound. */
export async function countToRecover(
  db: Runner,
  { subaccountId, sinceMs, untilMs, withDelivered, withUnsent }: RecoveryScope,
): Promise<{ count: number; unsent: number; isCapped: boolean }> {
  const asked = [subaccountId, sinceMs, untilMs, withDelivered, withUnsent];
  const [row] = await db.run(count, asked);
  const found = row?.found ?? 0;
  const looked = row?.looked_at ?? 0;
  return {
    count: Math.min(found, limits.recoveryCountedMax),
    unsent: Math.min(row?.unsent ?? 0, limits.recoveryCountedMax),
    isCapped: found > limits.recoveryCountedMax || looked >= limits.recoveryScannedMax,
  };
}

export type RecoveryState = {
  id: string;
  since_ms: string;
  until_ms: string;
  with_delivered: boolean;
  who: string;
  after_id: string;
  recovered: string;
  done_at_ms: string | null;
  cancelled_by: string | null;
};

const list = statement<RecoveryState>(
  "event-recoveries-list",
  `select id, since_ms, until_ms, with_delivered, who, after_id, recovered, done_at_ms, cancelled_by
   from event_recovery where subaccount_id = $1 order by id desc limit 20`,
);

/** Newest first. */
export function listRecoveries(db: Runner, subaccountId: string): Promise<RecoveryState[]> {
  return db.run(list, [subaccountId]);
}

const cancel = statement<{ id: string }>(
  "event-recovery-cancel",
  `update event_recovery set done_at_ms = $3, cancelled_by = $4
   where subaccount_id = $1 and id = $2 and done_at_ms is null
   returning id`,
);

/** False if it is not running. */
export async function updateRecoveryCancelled(
  tx: Tx,
  { subaccountId, id }: EventKey,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<boolean> {
  return (await tx.run(cancel, [subaccountId, id, nowMs, who])).length > 0;
}
