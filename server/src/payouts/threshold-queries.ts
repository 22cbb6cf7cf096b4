// The SQL that sums the payouts to a receiver on one day, for the threshold on that sum.

import { firstIdOf } from "../cursor.ts";
import { type Runner, statement } from "../db/connect.ts";

export type ReceiverBalanceKey = { subaccountId: string; currency: string; receiverId: string };

export const receiverBalanceName = ({ subaccountId, currency, receiverId }: ReceiverBalanceKey) =>
  `${subaccountId} ${currency} ${receiverId}`;

const sumMany = statement<{
  subaccount_id: string;
  currency: string;
  receiver_id: string;
  sum: string;
}>(
  "payouts-of-receivers-today",
  // Runs after the lock of the balances, so that the sum includes the payouts accepted before.
  `select input.subaccount_id, input.currency, input.receiver_id, coalesce((
     select sum(p.amount) from receiver_account a
     join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id
     where a.subaccount_id = input.subaccount_id and a.receiver_id = input.receiver_id and p.id >= $4
       and p.currency = input.currency and p.status <> 'failed'), 0)::text as sum
   from (select distinct * from unnest($1::uuid[], $2::text[], $3::uuid[]))
     input(subaccount_id, currency, receiver_id)`,
);

/** An id is made a little before its payout is written: an id from the last minute of yesterday may belong to today. */
const slackMs = 60_000;
const dayMs = 86_400_000;

/**
 * The sum of payouts to each receiver since the start of the day (UTC), without failed ones, by `receiverBalanceName`.
 */
export async function sumReceiversToday(
  db: Runner,
  keys: readonly ReceiverBalanceKey[],
  nowMs: number,
): Promise<Map<string, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await db.run(sumMany, [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ currency }) => currency),
    keys.map(({ receiverId }) => receiverId),
    firstIdOf(nowMs - (nowMs % dayMs) - slackMs),
  ]);
  return new Map(
    rows.map(({ subaccount_id, currency, receiver_id, sum }) => [
      receiverBalanceName({ subaccountId: subaccount_id, currency, receiverId: receiver_id }),
      BigInt(sum),
    ]),
  );
}
