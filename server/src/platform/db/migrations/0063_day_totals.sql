-- Thresholds of the day by running totals, so that no payout waits for a sum over the day; and one by destination account.

-- The payouts of one balance on one day (UTC), without failed ones, to each subject: a receiver, or an account by the keyed
-- hash of its number. The subject '' is the balance: its total is ledger_balance.day_total as the last counted payout left it.
-- If that differs from the balance, payouts were accepted uncounted, and the next one starts another generation. Rows of an
-- earlier generation are filled from the payouts. Generation 0 has counted the whole day: a subject without a row has 0.
create table payout_day_total (
  subaccount_id uuid    not null,
  currency      text    not null,
  day           text    not null,
  subject       text    not null,
  total         numeric not null,
  generation    int     not null,
  primary key (subaccount_id, currency, day, subject)
) with (fillfactor = 50);
-- For the deletion of past days. An expression, so that nothing else uses it: it holds the rows of all balances.
create index payout_day_total_by_day on payout_day_total ((day || ''));

-- Null: none. -1: as the threshold per receiver and day. Rows that the version before writes have that too.
alter table payout_limit add column account_day_approval_above bigint default -1 check (account_day_approval_above >= -1);

alter table payout_approval_reason drop constraint payout_approval_reason_rule_check;
alter table payout_approval_reason add constraint payout_approval_reason_rule_check
  check (rule in ('payout', 'batch', 'receiver_day', 'account_day', 'bank_details', 'new_account')) not valid;
