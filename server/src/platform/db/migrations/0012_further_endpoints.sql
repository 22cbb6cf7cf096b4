-- Webhook endpoints beside the one of postback_url, which keeps its tables and its cost. An event that one of them asks for is noted in
-- event_fan_out by its change; a worker makes a delivery of it for each endpoint. untold: a change of an endpoint that the other endpoints
-- are still to be told.
alter table webhook_endpoint add column further_types text[] default '{}'::text[] not null;
alter table webhook_endpoint add column description text default ''::text not null;
alter table webhook_endpoint add column headers_sealed bytea;
alter table webhook_endpoint add column header_names text[] default '{}'::text[] not null;
alter table webhook_endpoint add column disable_after_days smallint check (disable_after_days between 1 and 7);
alter table webhook_endpoint add column disabled_because text check (disabled_because in ('gone', 'failing', 'secret'));
alter table webhook_endpoint add column untold text;
create index webhook_endpoint_untold on webhook_endpoint (subaccount_id) where untold is not null;
alter table delivery_attempt add column endpoint_id uuid;

create table further_endpoint (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  description text default ''::text not null,
  event_types text[] not null,
  format text not null check (format in ('full', 'thin')),
  headers_sealed bytea,
  header_names text[] default '{}'::text[] not null,
  created_at_ms bigint not null,
  owner integer,
  epoch bigint default 0 not null,
  lease_until_ms bigint default 0 not null,
  open_until_ms bigint default 0 not null,
  backoff_level integer default 0 not null,
  failure_score integer default 0 not null,
  failing_since_ms bigint,
  failing_reported smallint default 0 not null,
  secret_unreadable_since_ms bigint,
  disabled_at_ms bigint,
  paused_by text,
  disable_after_days smallint not null check (disable_after_days between 1 and 7),
  disabled_because text check (disabled_because in ('gone', 'failing', 'secret')),
  untold text,
  primary key (subaccount_id, endpoint_id)
);
create index further_endpoint_untold on further_endpoint (subaccount_id) where untold is not null;

create table further_endpoint_secret (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  primary key (subaccount_id, endpoint_id, id)
);

create table event_fan_out (
  subaccount_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  order_key uuid not null,
  type text not null,
  since_ms bigint not null,
  primary key (subaccount_id, number)
);

create table further_delivery (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  order_key uuid not null,
  since_ms bigint not null,
  due_at_ms bigint default 0 not null,
  attempts integer default 0 not null,
  primary key (subaccount_id, endpoint_id, number)
);
create index further_delivery_stuck on further_delivery (subaccount_id, endpoint_id, order_key, number) where attempts > 0;

create table further_delivery_abandoned (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  attempts integer not null,
  abandoned_at_ms bigint not null,
  primary key (subaccount_id, endpoint_id, event_id)
);

create table further_recovery (
  subaccount_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  since_ms bigint not null,
  until_ms bigint not null,
  with_delivered boolean not null,
  who text not null,
  after_id uuid not null,
  recovered bigint default 0 not null,
  advanced_at_ms bigint default 0 not null,
  done_at_ms bigint,
  primary key (subaccount_id, id)
);
create index further_recovery_under_way on further_recovery (id) where done_at_ms is null;
