-- What was asked of the interface and how it was answered, redacted, for 30 days.

-- Its id is the request's, and tells when it came. Written by COPY, many at a time; a row of a read that went well
-- is as small as it can be, because there are more of them than of everything else together.
create table request_log (
  subaccount_id uuid     not null,
  id            uuid     not null,
  -- What the address names or, of a creation, what was made.
  object_id     uuid,
  took_us       int      not null,
  status        smallint not null,
  key           text     not null,
  method        text     not null,
  -- The pattern of the address; empty: there is no such one.
  route         text     not null,
  ip            text,
  agent         text,
  -- Of the address, redacted; where there is no such address, all of it.
  query         text,
  -- What it was refused with, parted by spaces.
  codes         text,
  -- The rest, as JSON: what was sent, redacted; why a signature failed. Only of writes and failures.
  detail        text,
  primary key (subaccount_id, id)
) partition by range (id);
create table request_log_default partition of request_log default;
-- Failures are few, and what one looks for: finding them must not mean to read all that went well.
create index request_log_failed on request_log (subaccount_id, id) where status >= 400;

-- As before, and for the new table too. Its rows are never changed and go with their table, so that there is nothing
-- to tidy up after inserts: autovacuum would read each of them again.
create or replace function keep_partitions_of(parent text, days int, kept_days int) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  day_ms   constant bigint := 86400000;
  now_ms   constant bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  step_ms  constant bigint := days * day_ms;
  start_ms bigint := now_ms / step_ms * step_ms - step_ms;
  old      record;
begin
  if parent not in ('event', 'delivery_attempt', 'request_log') then raise exception 'not a table of ours'; end if;
  -- Another process is at it.
  if not pg_try_advisory_xact_lock(hashtext('keep_partitions_of ' || parent)) then return; end if;
  while start_ms <= now_ms + greatest(step_ms, 3 * day_ms) loop
    begin
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L) %s',
        parent || to_char(to_timestamp(start_ms / 1000) at time zone 'UTC', '_YYYYMMDD'), parent,
        first_id_of(start_ms), first_id_of(start_ms + step_ms),
        case parent when 'request_log' then 'with (autovacuum_vacuum_insert_threshold = -1)' end);
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

select keep_partitions_of('request_log', 1, 30);
