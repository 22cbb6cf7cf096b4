-- Thresholds against splitting, and a default for live subaccounts. A retry that lasts, and a space of keys for the console.

-- What payouts of one batch come to, and what one receiver gets on one day (UTC): more of it waits for a second person.
alter table payout_limit add column batch_approval_above bigint check (batch_approval_above >= 0);
alter table payout_limit add column receiver_day_approval_above bigint check (receiver_day_approval_above >= 0);

-- A live subaccount without a row has 1,000 units of the currency everywhere. With a row, null means none, so rows
-- from before get what they would have without one.
update payout_limit l
set approval_above = coalesce(l.approval_above, d.amount), batch_approval_above = d.amount,
    receiver_day_approval_above = d.amount
from (
  select m.subaccount_id, m.currency, case
      when m.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
                          'VUV', 'XAF', 'XOF', 'XPF') then 1000
      when m.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000000
      when m.currency in ('CLF', 'UYW') then 10000000
      else 100000 end as amount
  from payout_limit m join subaccount s on s.id = m.subaccount_id where s.mode = 'live'
) d
where d.subaccount_id = l.subaccount_id and d.currency = l.currency;

-- A failed payout is made again once, for good.
create table payout_retry (
  subaccount_id uuid not null,
  retry_of      uuid not null,
  payout_id     uuid not null,
  primary key (subaccount_id, retry_of),
  foreign key (subaccount_id, payout_id) references payout
);
insert into payout_retry (subaccount_id, retry_of, payout_id)
  select p.subaccount_id, (a.after ->> 'retry_of')::uuid, p.id
  from audit_entry a join payout p on p.subaccount_id = a.subaccount_id and p.id::text = a.object_id
  where a.action = 'payout.create' and a.after ->> 'retry_of' is not null
  on conflict do nothing;

-- Keys of the console have a space of their own: a blank, which a caller's key can't contain. The old ones stay for
-- the version before.
insert into idempotency_key (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
  select subaccount_id, replace(key, ':', ' '), request_id, request_hash, answer, expires_at_ms
  from idempotency_key where key ~ '^import:[0-9a-f]{64}$'
  on conflict do nothing;
insert into idempotency_key (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
  select subaccount_id, 'console ' || substr(key, 9), request_id, request_hash, answer, expires_at_ms
  from idempotency_key where key like 'console:%'
  on conflict do nothing;
