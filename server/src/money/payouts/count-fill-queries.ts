// The SQL that fills the running totals of large subaccounts before rules are switched on.

import { statement, type Tx } from "../../platform/db/index.ts";

/** A balance whose payouts are counted for the subaccount, in the epoch of a version of the rules. */
export type FilledBalance = { subaccountId: string; currency: string; epoch: number };

const begin = statement<never>(
  "payout-count-fill-begin",
  `insert into payout_count_fill (subaccount_id, currency, epoch, up_to_number) values ($1, $2, $3, $4)
   on conflict (subaccount_id, currency, epoch) do nothing`,
);

const lockPlace = statement<{ up_to_number: string }>(
  "payout-count-fill-lock",
  `select up_to_number from payout_count_fill
   where subaccount_id = $1 and currency = $2 and epoch = $3 for update`,
);

/** The number of the ledger up to which it is filled. It starts at `firstNumber`. */
export async function lockFill(
  tx: Tx,
  { subaccountId, currency, epoch }: FilledBalance,
  firstNumber: number,
): Promise<number> {
  await tx.run(begin, [subaccountId, currency, epoch, firstNumber]);
  const [place] = await tx.run(lockPlace, [subaccountId, currency, epoch]);
  if (!place) throw new Error("the place of a fill must be there");
  return Number(place.up_to_number);
}

const fillPage = statement<never>(
  "payout-count-fill-page",
  // In the order in which the payouts were accepted, after those that are there. The time never falls.
  `with newest as materialized (
     select at_ms, number, total from payout_count
     where subaccount_id = $1 and currency = $2 and subject_id = $1 and epoch = $3
     order by at_ms desc, number desc limit 1
   ), place as (
     update payout_count_fill set up_to_number = $5 where subaccount_id = $1 and currency = $2 and epoch = $3
   )
   insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
   select $1, $2, $1, $3, greatest(max(p.created_at_ms) over earlier, newest.at_ms),
          row_number() over earlier + coalesce(newest.number, 0),
          sum(p.amount) over earlier + coalesce(newest.total, 0)
   from ledger_transfer t
   join payout p on p.subaccount_id = t.subaccount_id and p.id = t.payout_id
   left join newest on true
   where t.subaccount_id = $1 and t.currency = $2 and t.number > $4 and t.number <= $5 and t.kind = 'hold'
   window earlier as (order by t.number rows unbounded preceding)`,
);

/** Counts the payouts in a range of numbers of the ledger. The place must be locked, and be the start of the range. */
export async function insertFilledPage(
  tx: Tx,
  { subaccountId, currency, epoch }: FilledBalance,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  await tx.run(fillPage, [subaccountId, currency, epoch, after, upTo]);
}
