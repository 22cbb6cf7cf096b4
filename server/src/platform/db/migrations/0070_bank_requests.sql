-- What one user may not do alone with a live bank connection waits for a second user: a file that a user uploads, decisions
-- about money in suspense and on statements, and the mapping for CSV statements.

create table bank_request (
  id uuid primary key,
  kind text not null check (kind in ('file', 'suspense', 'statement_line', 'csv_mapping')),
  connection_id uuid not null references bank_connection (id),
  -- The hash of the file, the suspense item, the statement line, or the connection.
  object_id text not null,
  -- Sums and counts, as the second user sees them, and their hash.
  summary jsonb not null,
  summary_sha256 text not null,
  -- What is applied, encrypted. A file is in chunks instead. Both are deleted with the decision.
  input_sealed bytea,
  made_by text not null,
  made_at_ms bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired')),
  decided_by text not null default '',
  decided_at_ms bigint,
  reason text not null default ''
);
create index bank_request_waiting on bank_request (id) where status = 'waiting';
create unique index bank_request_one_waiting on bank_request (kind, object_id) where status = 'waiting';

create table bank_request_chunk (
  request_id uuid not null references bank_request (id),
  number int not null,
  sealed bytea not null,
  primary key (request_id, number)
);

-- The sum of what users have decided alone on a day, with live bank connections: splitting does not help.
create table bank_alone_total (
  day text not null,
  currency text not null,
  total bigint not null,
  primary key (day, currency)
);

alter table bank_inbound_file add column confirmed_by text not null default '';
-- The second user of the file that proposed the change.
alter table bank_details_change add column confirmed_by text not null default '';
alter table bank_details add column confirmed_by text not null default '';
