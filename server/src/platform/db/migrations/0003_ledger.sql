-- The books: what each subaccount has, and every move of it.

-- What is there now, one row for each subaccount and currency, so that one lock serves a whole batch. It
-- only moves together with rows of ledger_transfer. What we owe always equals what is at the bank, and the
-- row can't be written otherwise.
create table ledger_balance (
  subaccount_id uuid   not null,
  currency      text   not null check (currency ~ '^[A-Z]{3}$'),
  available     bigint not null default 0 constraint ledger_available_not_below_zero check (available >= 0),
  held          bigint not null default 0 check (held >= 0),
  clearing      bigint not null default 0 check (clearing >= 0),
  returns       bigint not null default 0 check (returns >= 0),
  fees          bigint not null default 0 check (fees >= 0),
  bank          bigint not null default 0,
  -- How many transfers there are: the number of the last one.
  transfers     bigint not null default 0,
  -- What was held on the day (of UTC) of the last hold, so that a limit a day holds under the same lock.
  day           text   not null default '',
  day_total     bigint not null default 0,
  primary key (subaccount_id, currency),
  constraint ledger_balanced check (available + held + clearing + returns + fees = bank)
);

-- Append only. A row takes from one account and gives to another, so it is balanced by its shape.
create table ledger_transfer (
  subaccount_id   uuid   not null,
  currency        text   not null,
  -- Counts up without a gap, under the lock of the balance row.
  number          bigint not null check (number > 0),
  id              uuid   not null,
  debit           text   not null,
  credit          text   not null check (credit <> debit),
  amount          bigint not null check (amount > 0),
  kind            text   not null,
  payout_id       uuid,
  -- The transfer that this one takes back. A mistake is never edited.
  reverses_id     uuid,
  reference       text   not null,
  -- Of the subaccount, after this transfer: a statement shows it without adding up.
  available_after bigint not null,
  held_after      bigint not null,
  created_at_ms   bigint not null,
  created_by      text   not null,
  primary key (subaccount_id, currency, number),
  unique (subaccount_id, id)
);
-- A bank's reference funds once, and a transfer is taken back once.
create unique index ledger_funded_once on ledger_transfer (subaccount_id, currency, reference)
  where kind = 'fund';
create unique index ledger_reversed_once on ledger_transfer (subaccount_id, reverses_id)
  where reverses_id is not null;
create index ledger_transfer_of_payout on ledger_transfer (subaccount_id, payout_id)
  where payout_id is not null;

-- The service works under a role of its own, which may add transfers and do nothing else to them. Where we
-- may not make roles, the owner of the tables gives up the right itself.
do $$
begin
  if not exists (select from pg_roles where rolname = 'disburse_service') then
    create role disburse_service nologin;
  end if;
  execute format('grant disburse_service to %I', current_user);
  grant usage on schema public to disburse_service;
  grant select, insert, update, delete on all tables in schema public to disburse_service;
  alter default privileges in schema public grant select, insert, update, delete on tables to disburse_service;
  revoke update, delete, truncate on ledger_transfer from disburse_service;
exception
  when insufficient_privilege then null;
end $$;
do $$
begin
  execute format('revoke update, delete, truncate on ledger_transfer from %I', current_user);
end $$;
