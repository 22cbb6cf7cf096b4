// The SQL of the roll-ups of delivery attempts.

import { idAfter } from "../../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../../platform/db/index.ts";
import { countingSql, eachSql, postingBounds } from "./histogram.ts";
import { hourMs, quarterMs } from "./time-ranges.ts";

const find = statement<{ before_id: string }>(
  "delivery-rollup-cursor",
  "select before_id from delivery_rollup_cursor where subaccount_id = $1",
);

/** All attempts before this id are rolled up. Undefined: none. */
export async function findDeliveryCursor(
  db: Runner,
  subaccountId: string,
): Promise<string | undefined> {
  return (await db.run(find, [subaccountId]))[0]?.before_id;
}

const lock = statement<{ before_id: string }>(
  "delivery-rollup-lock",
  `insert into delivery_rollup_cursor as c (subaccount_id, before_id) values ($1, $2)
   on conflict (subaccount_id) do update set before_id = c.before_id returning before_id`,
);

/** Locks the roll-ups until the end of the transaction, and creates the cursor at `firstId` if it is missing. */
export async function lockDeliveryCursor(
  tx: Tx,
  subaccountId: string,
  firstId: string,
): Promise<string> {
  const [row] = await tx.run(lock, [subaccountId, firstId]);
  return row?.before_id ?? firstId;
}

/** The roll-ups of attempts, for a statement that has them as `attempt` with span_ms and start_ms. */
export const attemptRollups = `
       count(*) filter (where failure is null and number = 1) as ok,
       count(*) filter (where failure is null and number > 1) as retried,
       count(*) filter (where failure is not null) as failed,
       ${countingSql(postingBounds, { took: "took_ms", where: "true" })} as took`;

const fold = statement<{ folded: number; last_id: string | null }>(
  "delivery-rollup-fold",
  `with next as materialized (
     select id, number, failure, took_ms from delivery_attempt
     where subaccount_id = $1 and id >= $2 and id < $3 order by id limit $4
   ), by_span as (
     insert into delivery_rollup as d (subaccount_id, span_ms, start_ms, ok, retried, failed, took)
     select $1, span.ms, ms_of_id(id) / span.ms * span.ms as start_ms, ${attemptRollups}
     from next cross join (values (${quarterMs}), (${hourMs})) span(ms) group by span.ms, 3
     on conflict (subaccount_id, span_ms, start_ms) do update
     set ok = d.ok + excluded.ok, retried = d.retried + excluded.retried, failed = d.failed + excluded.failed,
         took = ${eachSql(postingBounds, (place) => `d.took[${place}] + excluded.took[${place}]`)}
   )
   select count(*)::int as folded, max(id::text) as last_id from next`,
);

const advance = statement<never>(
  "delivery-rollup-advance",
  "update delivery_rollup_cursor set before_id = greatest(before_id, $2) where subaccount_id = $1",
);

type AttemptRange = {
  subaccountId: string;
  /** From this id on, and before that one. */
  fromId: string;
  toId: string;
  limit: number;
};

/** Whether more is left in the range. */
export async function rollUpAttempts(tx: Tx, range: AttemptRange): Promise<boolean> {
  const { subaccountId, fromId, toId, limit } = range;
  const [row] = await tx.run(fold, [subaccountId, fromId, toId, limit]);
  const isMore = row?.folded === limit && row.last_id !== null;
  await tx.run(advance, [subaccountId, isMore ? idAfter(row.last_id as string) : toId]);
  return isMore;
}
