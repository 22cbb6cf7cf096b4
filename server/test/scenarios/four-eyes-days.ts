// Days that pass in a sequence: all that waits is older, links expire, and the totals of a day start again.

import type { Db } from "../../src/platform/db/connect.ts";

const dayMs = 86_400_000;
let waits = 0;

/** How often days have passed in any sequence. All of them share the total that users decide alone at the bank on a day. */
export const countWaits = () => waits;

/** What counts time from an act on counts these days too. */
export async function passDays(
  db: Db,
  of: { subaccountId: string; userIds: readonly string[]; connectionId: string | undefined },
  days: number,
): Promise<void> {
  waits += 1;
  await db.pool.query(
    `with granted as (
       update user_vouch set at_ms = at_ms - $1, confirmed_at_ms = confirmed_at_ms - $1 where user_id = any($3::uuid[])
     ), links as (
       update invitation set created_at = created_at - $1 * interval '1 ms', expires_at = expires_at - $1 * interval '1 ms'
       where user_id = any($3::uuid[])
     ), seen as (
       update api_secret_seen set seen_at = seen_at - $1 * interval '1 ms' where subaccount_id = $2
     ), requests as (
       update change_request set made_at_ms = made_at_ms - $1, alone_at_ms = alone_at_ms - $1
       where subaccount_id = $2 and status = 'waiting'
     ), changes as (
       update bank_details_change set made_at_ms = made_at_ms - $1 where subaccount_id = $2 and status = 'waiting'
     ), details as (
       update bank_details set created_at_ms = created_at_ms - $1 where subaccount_id = $2
     ), holds as (
       update payout_hold set since_ms = since_ms - $1 where subaccount_id = $2 and decision is null
     ), resolutions as (
       update payout_resolution set proposed_at_ms = proposed_at_ms - $1 where subaccount_id = $2
     ), payouts as (
       update payout set created_at_ms = created_at_ms - $1, updated_at_ms = updated_at_ms - $1 where subaccount_id = $2
     ), balances as (
       update ledger_balance set day = to_char(day::date - ($1 / ${dayMs})::int, 'YYYY-MM-DD')
       where subaccount_id = $2 and day <> ''
     ), totals as (
       delete from payout_day_total where subaccount_id = $2
     ), totals_of_bank as (
       delete from bank_alone_total
     )
     update bank_request set made_at_ms = made_at_ms - $1 where connection_id = $4 and status = 'waiting'`,
    [days * dayMs, of.subaccountId, of.userIds, of.connectionId ?? null],
  );
}
