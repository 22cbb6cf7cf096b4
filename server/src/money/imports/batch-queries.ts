// The SQL of payout batches that are decided or retried: their payouts, who created them, and which of them wait.

import { oldestId } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import type { ApprovalReason } from "../payouts/index.ts";

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

type First = "oldest" | "newest";

/** From batch to batch along the index, so that the number of payouts in them does not matter. */
const waitingIds = (first: First, ofOne: boolean) => {
  const [after, down] = first === "newest" ? ["<", " desc"] : [">", ""];
  const [order, key] = ofOne
    ? [`p.batch_id${down}`, ["p.batch_id", "b.id"]]
    : [
        `p.batch_id${down}, p.subaccount_id${down}`,
        ["(p.batch_id, p.subaccount_id)", "(b.id, b.subaccount_id)"],
      ];
  const waits = `p.stage = 'awaiting_approval' and p.batch_id is not null${ofOne ? " and p.subaccount_id = $3" : ""}`;
  return `with recursive b (id, subaccount_id) as (
     (select p.batch_id, p.subaccount_id from payout p where ${waits} and p.batch_id ${after} $1 order by ${order} limit 1)
     union all
     select n.batch_id, n.subaccount_id from b cross join lateral (
       select p.batch_id, p.subaccount_id from payout p
       where ${waits} and ${key[0]} ${after} ${key[1]} order by ${order} limit 1
     ) n
   ) select id, subaccount_id from b limit $2`;
};

export type WaitingBatch = {
  subaccount_id: string;
  id: string;
  created_by: string;
  created_at_ms: string;
  /** By currency, of the first payouts that wait. */
  totals: { currency: string; payouts: number; amount: string }[];
  /** Why these wait, each reason once. */
  reasons: { rule: ApprovalReason["rule"]; above: number | null; currency: string }[];
};

const listStatement = (first: First, ofOne: boolean) => {
  const most = ofOne ? "$4" : "$3";
  return statement<WaitingBatch>(
    `batches-waiting-${first}${ofOne ? "-of-subaccount" : ""}`,
    `select w.subaccount_id, w.id, maker.created_by, maker.created_at_ms, waiting.totals, waiting.reasons
     from (${waitingIds(first, ofOne)}) w
     cross join lateral (
       select p.created_by, p.created_at_ms from payout p
       where p.subaccount_id = w.subaccount_id and p.batch_id = w.id order by p.id limit 1
     ) maker
     cross join lateral (
       with waiting as materialized (
         select p.id, p.currency, p.amount from payout p
         where p.subaccount_id = w.subaccount_id and p.batch_id = w.id and p.stage = 'awaiting_approval' limit ${most}
       )
       select (
         select json_agg(json_build_object('currency', currency, 'payouts', payouts, 'amount', amount::text)
                         order by currency)
         from (select currency, count(*)::int as payouts, sum(amount) as amount from waiting group by currency) sums
       ) as totals, (
         select coalesce(json_agg(distinct jsonb_build_object('rule', r.rule, 'above', r.above, 'currency', currency)), '[]')
         from waiting join payout_approval_reason r
           on r.subaccount_id = w.subaccount_id and r.payout_id = waiting.id
       ) as reasons
     ) waiting`,
  );
};
const lists = {
  oldest: { all: listStatement("oldest", false), one: listStatement("oldest", true) },
  newest: { all: listStatement("newest", false), one: listStatement("newest", true) },
};

type WaitingPage = {
  afterId: string;
  isNewestFirst?: boolean;
  /** Undefined: of all of them. */
  subaccountId: string | undefined;
  limit: number;
  /** How many payouts of each batch are added up. */
  summedMax: number;
};

/** Batches with payouts that wait for approval, oldest or newest first. */
export function listWaitingBatches(
  db: Runner,
  { afterId, isNewestFirst, subaccountId, limit, summedMax }: WaitingPage,
): Promise<WaitingBatch[]> {
  const { all, one } = lists[isNewestFirst ? "newest" : "oldest"];
  return subaccountId === undefined
    ? db.run(all, [afterId, limit, summedMax])
    : db.run(one, [afterId, limit, subaccountId, summedMax]);
}

const countStatement = (ofOne: boolean) =>
  statement<{ count: number }>(
    `batches-waiting-count${ofOne ? "-of-subaccount" : ""}`,
    `select count(*)::int as count from (select w.subaccount_id from (${waitingIds("oldest", ofOne)}) w) waiting`,
  );
const counts = { all: countStatement(false), one: countStatement(true) };

/** Never more than `most`. */
export async function countWaitingBatches(
  db: Runner,
  { subaccountId, most }: { subaccountId: string | undefined; most: number },
): Promise<number> {
  const [row] =
    subaccountId === undefined
      ? await db.run(counts.all, [oldestId, most])
      : await db.run(counts.one, [oldestId, most, subaccountId]);
  return row?.count ?? 0;
}
