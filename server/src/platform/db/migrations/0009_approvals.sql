-- Maker and checker: what waits for a second person. And when the audit was last verified.

-- A payout of more waits. Null: none does.
alter table payout_limit add column approval_above bigint check (approval_above >= 0);

-- Ids grow with time, so this is the queue over all subaccounts, the oldest first.
create index payout_awaiting on payout (id) include (subaccount_id) where stage = 'awaiting_approval';

-- Changes of bank details that a person asked for, each to be decided by another one.
create table bank_details_change (
  subaccount_id       uuid   not null,
  -- A UUID of version 7 that was made with made_at_ms.
  id                  uuid   not null,
  receiver_id         uuid   not null,
  -- Null for a new account, until there is one.
  account_id          uuid,
  -- The bank details that it was proposed on; null for a new account.
  account_version     int,
  -- What is asked for, with the whole account number, and what it would change.
  proposal_sealed     bytea  not null,
  -- Of the account as it would be.
  account_number_tail text   not null,
  country             text   not null,
  made_by             text   not null,
  made_at_ms          bigint not null,
  status              text   not null default 'waiting'
                      check (status in ('waiting', 'applied', 'declined', 'withdrawn')),
  decided_by          text   not null default '',
  decided_at_ms       bigint,
  reason              text   not null default '',
  primary key (subaccount_id, id),
  foreign key (subaccount_id, receiver_id) references receiver,
  foreign key (subaccount_id, account_id) references receiver_account
);
create unique index bank_details_change_one_waiting on bank_details_change (subaccount_id, account_id)
  where status = 'waiting';
create index bank_details_change_waiting on bank_details_change (id) include (subaccount_id)
  where status = 'waiting';
create index bank_details_change_of_receiver on bank_details_change (subaccount_id, receiver_id, id);

-- What the last verification of the audit's chain found, marked with our key.
create table audit_verified (
  is_only        bool   primary key default true check (is_only),
  verified_at_ms bigint not null,
  number         bigint not null,
  fault          text   not null,
  mark           text   not null
);
