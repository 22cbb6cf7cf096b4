// The SQL of payout batches that are decided or retried: their payouts, and who created them.

import { type Runner, statement } from "../../platform/db/index.ts";

const findMakers = statement<{ batch_id: string; created_by: string }>(
  "console-batch-makers",
  `select wanted.id as batch_id, p.created_by from unnest($2::uuid[]) as wanted(id)
   cross join lateral (select created_by from payout
                       where subaccount_id = $1 and batch_id = wanted.id order by id limit 1) p`,
);

/** By batch: who created its payouts. One request or one user creates all of them. */
export async function findBatchMakers(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.run(findMakers, [subaccountId, ids]);
  return new Map(rows.map(({ batch_id, created_by }) => [batch_id, created_by]));
}

export type PayoutOfBatch = { id: string; currency: string; amount: string };

const listWaiting = statement<PayoutOfBatch>(
  "console-batch-waiting",
  `select id, currency, amount from payout
   where subaccount_id = $1 and batch_id = $2 and stage = 'awaiting_approval' order by id`,
);

export function listWaitingOfBatch(
  db: Runner,
  subaccountId: string,
  batchId: string,
): Promise<PayoutOfBatch[]> {
  return db.run(listWaiting, [subaccountId, batchId]);
}

const listFailed = statement<PayoutOfBatch>(
  "console-batch-failed",
  `select p.id, p.currency, p.amount from payout p
   where p.subaccount_id = $1 and p.batch_id = $2 and p.stage in ('rejected', 'returned')
     and not exists (select from payout_retry r where r.subaccount_id = p.subaccount_id and r.retry_of = p.id)
     and exists (
       select from receiver v where v.subaccount_id = p.subaccount_id and v.id = p.receiver_id and v.status = 'active'
     )
   order by p.id`,
);

/**
 * Payouts of the batch that a bank refused or returned and that were not retried. Not those that a review refused, which are
 * cancelled, nor those of receivers that can't be paid now.
 */
export function listFailedOfBatch(
  db: Runner,
  subaccountId: string,
  batchId: string,
): Promise<PayoutOfBatch[]> {
  return db.run(listFailed, [subaccountId, batchId]);
}
