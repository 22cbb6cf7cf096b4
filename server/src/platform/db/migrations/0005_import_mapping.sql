-- How the last imported file of each kind was read, so that the next one is read in the same way.
create table import_mapping (
  subaccount_id uuid not null,
  kind text not null check (kind in ('payouts', 'receivers')),
  columns jsonb not null,
  fixed jsonb not null,
  saved_by text not null,
  saved_at_ms bigint not null,
  primary key (subaccount_id, kind)
);
