-- Whether the bank knows the payee by the name that we have: one check for each version of bank details.
create table payee_name_check (
  subaccount_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  version integer not null,
  -- The mode of the subaccount decides who checks.
  mode text not null check (mode in ('test', 'live')),
  -- Null until it was checked.
  outcome text check (outcome in ('match', 'close_match', 'no_match', 'unavailable')),
  checked_at_ms bigint,
  attempts integer not null default 0,
  -- When it is checked next, or until when a worker has claimed it. Null: done.
  due_at_ms bigint,
  primary key (subaccount_id, id),
  unique (subaccount_id, account_id, version),
  foreign key (subaccount_id, account_id, version) references bank_details (subaccount_id, account_id, version),
  check ((outcome is null) = (checked_at_ms is null))
);

create index payee_name_check_due on payee_name_check (mode, subaccount_id, due_at_ms) where due_at_ms is not null;
