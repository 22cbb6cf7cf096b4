-- Files that users imported in the console: who, when, how far it came, and the rows that were refused, so that they can be
-- retried. Payouts of an import have its id as their batch_id.

create table file_import (
  subaccount_id    uuid not null,
  id               uuid not null,
  kind             text not null check (kind in ('payouts', 'receivers', 'retry')),
  file_name        text not null,
  rows             integer not null,
  created          integer not null default 0,
  already_imported integer not null default 0,
  refused          integer not null default 0,
  who              text not null,
  -- The import or the payout batch whose failed rows this one retries.
  retry_of         uuid,
  updated_at_ms    bigint not null,
  ended_at_ms      bigint,
  primary key (subaccount_id, id)
);

-- A refused row of payouts has its fields, one of receivers only its number and code. Rows are kept as long as the keys
-- by which an import recognises rows.
create table file_import_refusal (
  subaccount_id       uuid not null,
  import_id           uuid not null,
  number              integer not null,
  code                text not null,
  receiver_id         uuid,
  account_id          uuid,
  amount              bigint,
  currency            text,
  reference           text not null default '',
  note                text not null default '',
  send_on             text not null default '',
  statement_reference text not null default '',
  purpose             text not null default '',
  allow_duplicate     boolean not null default false,
  primary key (subaccount_id, import_id, number)
);
create index file_import_refusal_of_receiver on file_import_refusal (subaccount_id, receiver_id);
