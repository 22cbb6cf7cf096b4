// The SQL of metrics about money that waits: the oldest submitted payouts and reviews, and the balances of all subaccounts.

import type { Mode } from "../../platform/base/index.ts";
import { type Runner, statement, worksHere } from "../../platform/db/index.ts";

const submitted = statement<{ mode: Mode; oldest_ms: string }>(
  "payouts-oldest-submitted",
  // Over all subaccounts, for the metrics of the installation. Only a balance with money in clearing has submitted
  // payouts; its first ones are read by the index payout_by_stage.
  `select s.mode, min(p.updated_at_ms) as oldest_ms
   from (select subaccount_id, currency from ledger_balance where clearing > 0 limit $1) b
   join subaccount s on s.id = b.subaccount_id
   cross join lateral (
     select updated_at_ms from payout
     where subaccount_id = b.subaccount_id and currency = b.currency and stage = 'submitted'
     order by id limit 10
   ) p
   group by s.mode`,
);

/** When the oldest submitted payout of each mode was submitted. */
export async function oldestSubmittedMs(
  db: Runner,
  balancesMax: number,
): Promise<Map<Mode, number>> {
  const rows = await db.run(submitted, [balancesMax]);
  return new Map(rows.map(({ mode, oldest_ms }) => [mode, Number(oldest_ms)]));
}

const due = statement<{ mode: Mode; oldest_ms: string }>(
  "payouts-oldest-due",
  // Over all subaccounts: one lookup in the index payout_due_of_subaccount for each rail and subaccount with payouts that
  // have a next step, however many they are. Payouts that a worker has claimed are due at the end of its lease.
  `with recursive queue(rail, subaccount_id) as (
     (select rail, subaccount_id from payout where due_at_ms is not null order by rail, subaccount_id limit 1)
     union all
     select n.rail, n.subaccount_id from queue w cross join lateral (
       select q.rail, q.subaccount_id from payout q
       where q.due_at_ms is not null and (q.rail, q.subaccount_id) > (w.rail, w.subaccount_id)
       order by q.rail, q.subaccount_id limit 1
     ) n
   )
   select s.mode, min(p.due_at_ms) as oldest_ms
   from (select rail, subaccount_id from queue limit $1) w
   join subaccount s on s.id = w.subaccount_id
   cross join lateral (
     select due_at_ms from payout q
     where q.rail = w.rail and q.subaccount_id = w.subaccount_id and q.due_at_ms is not null
     order by q.due_at_ms limit 1
   ) p
   where ${worksHere("w.subaccount_id")}
   group by s.mode`,
);

/** When the next step of a payout, to send it or to ask for its outcome, was or is due first, by mode. */
export async function oldestDueMs(db: Runner, queuesMax: number): Promise<Map<Mode, number>> {
  const rows = await db.run(due, [queuesMax]);
  return new Map(rows.map(({ mode, oldest_ms }) => [mode, Number(oldest_ms)]));
}

const oldestReview = statement<{ review_ms: string }>(
  "reviews-oldest",
  // Over all subaccounts: the first entry of the partial index receiver_to_review.
  `select greatest(r.created_at_ms, r.kyc_reported_at_ms) as review_ms from receiver r
   where (r.kyc_status = 'pending' and r.kyc_step is null) or r.kyc_needs_review
   order by greatest(r.created_at_ms, r.kyc_reported_at_ms), r.subaccount_id, r.id limit 1`,
);

/** Since when the oldest identity check waits. */
export async function oldestReviewMs(db: Runner): Promise<number | undefined> {
  const [row] = await db.run(oldestReview);
  return row && Number(row.review_ms);
}

type BalanceSumRow = {
  mode: Mode;
  currency: string;
  available: string;
  held: string;
  in_transit: string;
  balances: number;
};

const sums = statement<BalanceSumRow>(
  "ledger-balances-sums",
  // Over all subaccounts, for the metrics of the installation.
  `select s.mode, b.currency, sum(b.available) as available, sum(b.held) as held, sum(b.clearing) as in_transit,
          count(*)::int as balances
   from (select subaccount_id, currency, available, held, clearing from ledger_balance limit $1) b
   join subaccount s on s.id = b.subaccount_id
   group by s.mode, b.currency`,
);

/** Of at most `most` balances. */
export function sumBalances(db: Runner, most: number): Promise<BalanceSumRow[]> {
  return db.run(sums, [most]);
}
