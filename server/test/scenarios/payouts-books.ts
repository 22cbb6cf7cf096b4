// Compares payouts, events and books in the database, without the service's own code.

import type { Db } from "../../src/platform/db/connect.ts";

/**
 * Returns every contradiction. Each payout must have one payoutCreated event, and there must be no other. Its transfers
 * must be those of its stage, each once. Each balance must follow from the stages.
 */
export async function contradictions({ pool }: Db): Promise<unknown[]> {
  const { rows } = await pool.query(
    `with announced as (
       select subaccount_id, order_key as id, count(*) as times,
              bool_and(body::json ->> 'payout_id' = order_key::text) as names_it
       from event where type = 'payoutCreated' group by 1, 2
     ), posted as (
       select subaccount_id, payout_id as id, -- A bank file that was discarded gives back what it took.
              replace(string_agg(kind, ' ' order by number) filter (where kind not in ('fee', 'fee_refund')),
                ' submit unsubmit', '') as kinds,
              coalesce(sum(amount) filter (where kind = 'fee'), 0) as charged,
              coalesce(sum(amount) filter (where kind = 'fee_refund'), 0) as refunded,
              bool_or(kind = 'release') as is_released
       from ledger_transfer where payout_id is not null group by 1, 2
     ), staged as (
       select subaccount_id, currency, sum(sent) filter (where stage in ('queued', 'awaiting_approval', 'on_hold')) as held,
              sum(sent) filter (where stage in ('batched', 'submitted')) as clearing,
              sum(sent) filter (where stage = 'settled') as paid,
              sum(fee) filter (where not is_released) as fees
       from (select *, coalesce(sent_amount, amount) as sent from payout) p
       left join posted using (subaccount_id, id) group by 1, 2
     ), funded as (
       select subaccount_id, currency, sum(amount) as amount from ledger_transfer where kind = 'fund' group by 1, 2
     )
     select 'event' as what, id::text, t.times::text as seen
     from payout p full join announced t using (subaccount_id, id)
     where p.stage is null or t.times is distinct from 1 or not t.names_it
     union all
     select 'transfers', id::text, p.stage || ': ' || t.kinds
     from payout p full join posted t using (subaccount_id, id)
     where t.kinds is distinct from case p.stage when 'on_hold' then 'hold' when 'awaiting_approval' then 'hold' when 'queued' then 'hold' when 'submitted' then 'hold submit'
       when 'batched' then 'hold submit'
       when 'settled' then 'hold submit settle' when 'rejected' then
         case t.kinds when 'hold release' then t.kinds else 'hold submit reject' end
       when 'cancelled' then 'hold release' when 'returned' then 'hold submit settle return credit' end
     union all
     select 'fee', id::text, p.fee || ': ' || t.charged || ' - ' || t.refunded
     from payout p join posted t using (subaccount_id, id)
     where t.charged <> coalesce(p.fee, 0) or t.refunded <> case when t.is_released then coalesce(p.fee, 0) else 0 end
     union all
     select 'money', subaccount_id::text, b::text
     from ledger_balance b left join staged s using (subaccount_id, currency)
     left join funded f using (subaccount_id, currency)
     where (b.held, b.clearing, b.bank, b.returns, b.fees) is distinct from
       (coalesce(s.held, 0), coalesce(s.clearing, 0), f.amount - coalesce(s.paid, 0), 0, coalesce(s.fees, 0))`,
  );
  return rows;
}
