// The SQL that counts the payouts of a batch that have ended, for subaccounts that asked to be told of the last one.

import { statement, type Tx } from "../../platform/db/index.ts";
import { batchFinishedSql, isRequestedSql } from "../../webhooks/events/index.ts";

const event = "payoutBatchFinished";
const isRequested = (row: string) => `exists (select from webhook_endpoint n
                   where n.subaccount_id = ${row}.subaccount_id and ${isRequestedSql(`'${event}'`, "n")})`;

const insertOne = statement<never>(
  "payout-batch-count",
  `insert into payout_batch (subaccount_id, id, payouts, pending, failed)
   select n.subaccount_id, $2, $3, $3, 0 from webhook_endpoint n
   where n.subaccount_id = $1 and ${isRequestedSql(`'${event}'`, "n")}`,
);

/** In the transaction that creates its payouts. Without a request, nothing is written. */
export async function countBatch(
  tx: Tx,
  { subaccountId, id, payouts }: { subaccountId: string; id: string; payouts: number },
): Promise<void> {
  await tx.run(insertOne, [subaccountId, id, payouts]);
}

/** CTEs after `moved`: each batch is counted under its lock, so that one of several statements is the last. */
export const countBatchesSql = `batch_moves as (
     select subaccount_id, batch_id, max(at_ms) as at_ms, min(batch_event_id::text)::uuid as event_id,
            count(*) filter (where from_status = 'pending' and to_status <> 'pending')::int as ended,
            (count(*) filter (where to_status = 'failed' and from_status <> 'failed')
             - count(*) filter (where from_status = 'failed' and to_status <> 'failed'))::int as failed
     from moved where batch_id is not null and to_status <> 'pending' group by subaccount_id, batch_id
   ), locked_batches as (
     select b.subaccount_id, b.id from payout_batch b
     join batch_moves m on m.subaccount_id = b.subaccount_id and m.batch_id = b.id
     where b.pending > 0 order by b.subaccount_id, b.id for update of b
   ), counted_batches as (
     update payout_batch b set pending = b.pending - m.ended, failed = b.failed + m.failed
     from batch_moves m join locked_batches l on l.subaccount_id = m.subaccount_id and l.id = m.batch_id
     where b.subaccount_id = m.subaccount_id and b.id = m.batch_id and b.pending > 0
     returning b.subaccount_id, b.id, b.payouts, b.pending, b.failed, m.at_ms, m.event_id
   )`;

/** Rows of `new_events`, after those of all payouts. */
export const finishedBatchesSql = `select 2147483647 as call, b.subaccount_id, b.id as order_key, b.event_id,
            '${event}' as event_type, ${batchFinishedSql("b")} as event_body, b.at_ms
     from counted_batches b where b.pending = 0 and ${isRequested("b")}`;
