-- Changes of bank connections that one admin requests and another approves. They belong to the installation, not to a subaccount.

create table bank_connection_request (
  id              uuid    primary key,
  kind            text    not null check (kind in ('add', 'change', 'enable')),
  name            text    not null,
  -- The fields to save. They hold our account number, so they are encrypted. Null: there are none.
  fields_sealed   bytea,
  -- The connection as both users see it, with the account number masked.
  before          jsonb   not null,
  after           jsonb   not null,
  -- The settings that the request was made for: they must be the same when it is approved.
  settings_sha256 text    not null,
  made_by         text    not null,
  made_at_ms      bigint  not null,
  status          text    not null default 'waiting' check (status in ('waiting', 'applied', 'declined', 'withdrawn')),
  decided_by      text    not null default '',
  decided_at_ms   bigint
);
create unique index bank_connection_request_waiting on bank_connection_request (name) where status = 'waiting';
