-- Delivery of events: where each subaccount hears of them, what it still has to hear, what was tried.

-- Where a subaccount's events go, and the lane that leads there. One process at a time owns a lane; whoever
-- takes it raises the epoch, so that one who has lost it can change nothing any more. Half of each page stays
-- free and only the key is indexed, so that taking and releasing a lane touches no index.
create table endpoint (
  subaccount_id    uuid     not null,
  -- Empty: nowhere.
  url              text     not null default '',
  owner            int,
  epoch            bigint   not null default 0,
  lease_until_ms   bigint   not null default 0,
  -- An endpoint that does not work is left alone until then, whatever waits for it, and then tried once.
  open_until_ms    bigint   not null default 0,
  open_level       int      not null default 0,
  -- What speaks against it since the last success.
  strikes          int      not null default 0,
  failing_since_ms bigint,
  -- How many of the times after which somebody should know have passed, and are told.
  failing_told     smallint not null default 0,
  disabled_at_ms   bigint,
  primary key (subaccount_id)
) with (fillfactor = 50);

insert into endpoint (subaccount_id, url) select id, postback_url from subaccount;
alter table subaccount drop column postback_url;

create table endpoint_secret (
  subaccount_id uuid   not null,
  id            uuid   not null,
  sealed        bytea  not null,
  created_at_ms bigint not null,
  -- Set by a rotation: the end of the overlap.
  expires_at_ms bigint,
  primary key (subaccount_id, id)
);

-- The first id of a moment: ids begin with the milliseconds at which they were made. Tables that only grow are
-- divided by it, so that what is old goes by dropping a table instead of deleting rows.
create function first_id_of(ms bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || '00000000000000000000')::uuid $$;

alter table event rename to event_before;
alter index event_pkey rename to event_before_pkey;
alter index event_in_order rename to event_before_in_order;
create sequence event_number;
create table event (
  subaccount_id uuid    not null,
  id            uuid    not null,
  -- Given under the lock of what changed, so that it counts up in the order of the changes to one thing.
  number        bigint  not null default nextval('event_number'),
  -- The payout or the receiver that it is about: events of one are told in order.
  order_key     uuid    not null,
  type          text    not null,
  -- The bytes to send, the same on every try.
  body          text    not null,
  created_at_ms bigint  not null,
  -- Whether there was an endpoint when it happened, or somebody asked for it since.
  wanted        boolean not null default false,
  -- Who it is about, to be found by. A quote within a text of the body is escaped, so this finds the field alone.
  -- (A pattern would say it more plainly, and take thirty times as long.)
  receiver_id   uuid    generated always as (
                  case when strpos(body, '"receiver_id":"') > 0
                  then substr(body, strpos(body, '"receiver_id":"') + 15, 36)::uuid end) stored,
  primary key (subaccount_id, id)
) partition by range (id);
create index event_in_order on event (subaccount_id, order_key, number);
create index event_of_receiver on event (subaccount_id, receiver_id, id);
-- For what lies outside every partition, which nothing should.
create table event_default partition of event default;

insert into event (subaccount_id, id, number, order_key, type, body, created_at_ms)
select subaccount_id, id, number, order_key, type, body, created_at_ms from event_before order by number;
select setval('event_number', coalesce(max(number), 0) + 1, false) from event_before;
drop table event_before;

-- What has not been heard yet, and nothing else: a row goes when its event has been heard.
create table delivery (
  subaccount_id uuid   not null,
  -- The event's.
  number        bigint not null,
  event_id      uuid   not null,
  order_key     uuid   not null,
  -- From when on its days are counted.
  since_ms      bigint not null,
  due_at_ms     bigint not null default 0,
  attempts      int    not null default 0,
  primary key (subaccount_id, number)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- Next to empty while endpoints work: finds what holds its successors back.
create index delivery_stuck on delivery (subaccount_id, order_key, number) where attempts > 0;

-- What was given up, until somebody asks for it again.
create table delivery_at_rest (
  subaccount_id uuid   not null,
  event_id      uuid   not null,
  attempts      int    not null,
  rested_at_ms  bigint not null,
  primary key (subaccount_id, event_id)
);

-- Its id tells when it was.
create table delivery_attempt (
  subaccount_id uuid not null,
  event_id      uuid not null,
  id            uuid not null,
  number        int  not null,
  -- Of the answer; null: none came.
  status        int,
  -- Why it did not count, in a word; null: it did.
  failure       text,
  detail        text not null,
  took_ms       int  not null,
  -- How it began, redacted.
  answer        text not null,
  primary key (subaccount_id, event_id, id)
) partition by range (id);
create table delivery_attempt_default partition of delivery_attempt default;

-- That somebody asked for an event again: those who listen to the feed hear it once more.
create table event_resend (
  subaccount_id uuid not null,
  id            uuid not null,
  event_id      uuid not null,
  who           text not null,
  primary key (subaccount_id, id)
);

-- That somebody asked for all of a time again. Worked off in the order of the ids, so many at a time.
create table event_recovery (
  subaccount_id  uuid    not null,
  id             uuid    not null,
  since_ms       bigint  not null,
  until_ms       bigint  not null,
  with_delivered boolean not null,
  who            text    not null,
  after_id       uuid    not null,
  recovered      bigint  not null default 0,
  -- However many processes work at it, it goes on only so often.
  advanced_at_ms bigint  not null default 0,
  done_at_ms     bigint,
  primary key (subaccount_id, id)
);
create index event_recovery_under_way on event_recovery (id) where done_at_ms is null;

-- Those that deliver. Each holds a lock of its number for as long as it lives.
create table delivery_worker (
  number     int         primary key,
  started_at timestamptz not null default now()
);

-- Makes the partitions of the coming days and drops those whose time is over. The service's own role may do
-- neither, so it runs as whoever owns the tables.
create function keep_partitions_of(parent text, days int, kept_days int) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  day_ms   constant bigint := 86400000;
  now_ms   constant bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  step_ms  constant bigint := days * day_ms;
  start_ms bigint := now_ms / step_ms * step_ms - step_ms;
  old      record;
begin
  if parent not in ('event', 'delivery_attempt') then raise exception 'not a table of ours'; end if;
  -- Another process is at it.
  if not pg_try_advisory_xact_lock(hashtext('keep_partitions_of ' || parent)) then return; end if;
  while start_ms <= now_ms + greatest(step_ms, 3 * day_ms) loop
    begin
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(to_timestamp(start_ms / 1000) at time zone 'UTC', '_YYYYMMDD'), parent,
        first_id_of(start_ms), first_id_of(start_ms + step_ms));
    exception
      -- Some of its rows are in the default partition. They stay there, and so do those that follow.
      when check_violation then null;
    end;
    start_ms := start_ms + step_ms;
  end loop;
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ '_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') + days
          < (to_timestamp(now_ms / 1000) at time zone 'UTC')::date - kept_days
  loop
    execute format('drop table %I', old.relname);
  end loop;
  execute format('delete from %I where id < %L', parent || '_default',
    first_id_of(now_ms - (kept_days + days) * day_ms));
end $$;

select keep_partitions_of('event', 7, 90);
select keep_partitions_of('delivery_attempt', 1, 30);

do $$
begin
  grant usage on sequence event_number to disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
