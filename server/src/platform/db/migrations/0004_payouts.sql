-- Payouts: what is asked for, where each one is, and how it came there.

create table payout (
  subaccount_id      uuid   not null,
  -- A UUID of version 7 that was made with created_at_ms, so that ordering by id is ordering by age.
  id                 uuid   not null,
  batch_id           uuid,
  receiver_id        uuid   not null,
  account_id         uuid   not null,
  -- The bank details that it goes to, whatever becomes of the account.
  account_version    int    not null,
  amount             bigint not null check (amount > 0),
  currency           text   not null,
  reference          text   not null,
  note               text   not null,
  status             text   not null check (status in ('pending', 'successful', 'failed')),
  stage              text   not null check (stage in ('awaiting_approval', 'queued', 'submitted', 'settled',
                                                      'rejected', 'cancelled', 'returned')),
  cause              text   not null,
  cause_code         text   not null,
  rail               text   not null,
  provider_reference text   not null,
  created_at_ms      bigint not null,
  updated_at_ms      bigint not null,
  created_by         text   not null,
  -- When the background looks at it next. Whoever does moves the time ahead first, which is its lease.
  due_at_ms          bigint,
  attempts           int    not null default 0,
  primary key (subaccount_id, id),
  foreign key (subaccount_id, account_id, account_version) references bank_details
);
create index payout_due on payout (rail, due_at_ms) where due_at_ms is not null;
create index payout_by_status on payout (subaccount_id, status, id);
create index payout_of_account on payout (subaccount_id, account_id, id);
-- Whether a receiver or an account still has something under way.
create index payout_under_way on payout (subaccount_id, account_id) where status = 'pending';
-- Also finds a payout that would be made twice.
create index payout_by_reference on payout (subaccount_id, reference, account_id, amount, id);
create index payout_of_batch on payout (subaccount_id, batch_id, id) where batch_id is not null;

-- Its first line, the creation, is the payout's own row.
create table payout_history (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  id            uuid   not null,
  at_ms         bigint not null,
  who           text   not null,
  from_status   text   not null,
  to_status     text   not null,
  from_stage    text   not null,
  to_stage      text   not null,
  reason        text   not null,
  primary key (subaccount_id, payout_id, id),
  foreign key (subaccount_id, payout_id) references payout
);

-- What a subaccount may pay out. No row, no limit.
create table payout_limit (
  subaccount_id  uuid   not null,
  currency       text   not null,
  per_payout_max bigint check (per_payout_max > 0),
  per_day_max    bigint check (per_day_max > 0),
  primary key (subaccount_id, currency)
);
