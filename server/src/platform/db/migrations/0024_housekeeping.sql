-- Making partitions no longer depends on dropping old ones, and only the service may ask for either.

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
  -- Another process is doing it.
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
  -- What can't be dropped or deleted now, because someone reads it, is for the next time.
  begin
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
  exception
    when lock_not_available or deadlock_detected then null;
  end;
end $$;

revoke execute on function keep_partitions_of(text, int, int) from public;
do $$
begin
  grant execute on function keep_partitions_of(text, int, int) to disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
