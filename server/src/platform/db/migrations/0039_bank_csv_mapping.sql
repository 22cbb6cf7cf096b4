-- What the columns of a bank's CSV statements mean. Every version is kept: statements were read by it.

create table bank_csv_mapping (
  connection_id uuid    not null references bank_connection,
  -- From 1; the highest is in use.
  version       integer not null check (version > 0),
  mapping       jsonb   not null,
  saved_at_ms   bigint  not null,
  saved_by      text    not null,
  primary key (connection_id, version)
);
