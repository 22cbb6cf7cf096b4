// The SQL of imports and payout batches: their list, and the payouts of one by stage.

import { type Runner, statement } from "../../../platform/db/index.ts";
import type { Metadata } from "../../../platform/metadata/index.ts";

const listIds = statement<{ id: string }>(
  "console-batches",
  // From batch to batch along the index, so that the number of payouts in them does not matter.
  `with recursive batch (id) as (
     (select batch_id from payout where subaccount_id = $1 and batch_id is not null and batch_id < $2
      order by batch_id desc limit 1)
     union all
     select (select p.batch_id from payout p where p.subaccount_id = $1 and p.batch_id is not null and p.batch_id < b.id
             order by p.batch_id desc limit 1)
     from batch b where b.id is not null
   ), of_payouts as (select id from batch where id is not null limit $3),
   of_files as (select id from file_import where subaccount_id = $1 and id < $2 order by id desc limit $3)
   select id from (select id from of_payouts union select id from of_files) both_kinds order by id desc limit $3`,
);

/** Newest first. Payouts of an import have its id as their batch. */
export async function listBatchIds(
  db: Runner,
  { subaccountId, beforeId, limit }: { subaccountId: string; beforeId: string; limit: number },
): Promise<string[]> {
  const rows = await db.run(listIds, [subaccountId, beforeId, limit]);
  return rows.map(({ id }) => id);
}

export type BatchStage = {
  batch_id: string;
  currency: string;
  stage: string;
  payouts: string;
  amount: string;
};

/** The payouts of each batch, up to $3 of it. */
const ofBatches = `unnest($2::uuid[]) as wanted(id) cross join lateral (
     select p.subaccount_id, p.id, p.currency, p.stage, p.amount from payout p
     where p.subaccount_id = $1 and p.batch_id = wanted.id and p.batch_id is not null order by p.id limit $3
   ) p`;

const sumStages = statement<BatchStage>(
  "console-batch-stages",
  `select wanted.id as batch_id, p.currency, p.stage, count(*) as payouts, sum(p.amount) as amount from ${ofBatches}
   where p.subaccount_id = $1 group by wanted.id, p.currency, p.stage order by wanted.id, p.currency, p.stage`,
);

/** Which batches, and how many payouts of each. Null: all of them. */
export type BatchReading = { subaccountId: string; ids: readonly string[]; most: number | null };

/** Of each batch, by currency and stage. */
export function listBatchStages(
  db: Runner,
  { subaccountId, ids, most }: BatchReading,
): Promise<BatchStage[]> {
  return db.run(sumStages, [subaccountId, ids, most]);
}

const findMetadata = statement<{ metadata: Metadata | null }>(
  "console-batch-metadata",
  "select metadata from payout_batch where subaccount_id = $1 and id = $2",
);

export async function findBatchMetadata(
  db: Runner,
  { subaccountId, id }: { subaccountId: string; id: string },
): Promise<Metadata | undefined> {
  return (await db.run(findMetadata, [subaccountId, id]))[0]?.metadata ?? undefined;
}

const listApprovers = statement<{ batch_id: string; who: string }>(
  "console-batch-approvers",
  `select distinct wanted.id as batch_id, a.who from ${ofBatches} cross join lateral (
     select a.who from payout_approval a where a.subaccount_id = $1 and a.payout_id = p.id offset 0
   ) a order by wanted.id, a.who`,
);

/** By batch: the users who approved payouts of it. */
export async function findBatchApprovers(
  db: Runner,
  { subaccountId, ids, most }: BatchReading,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { batch_id, who } of await db.run(listApprovers, [subaccountId, ids, most])) {
    found.set(batch_id, [...(found.get(batch_id) ?? []), who]);
  }
  return found;
}
