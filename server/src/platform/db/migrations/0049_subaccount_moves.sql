-- A subaccount can move to another cell: replication filters each row by its subaccount, and both cells record the move.

-- Replication with a filter on subaccount_id needs the column in the identity of each row.
create unique index api_key_identity on api_key (subaccount_id, key);
alter table api_key replica identity using index api_key_identity;

-- Filled by a trigger, because the version before inserts rows without the column.
create function fill_subaccount_of_key() returns trigger language plpgsql as $$
begin
  new.subaccount_id := (select k.subaccount_id from api_key k where k.key = new.key);
  return new;
end $$;

alter table api_secret add column subaccount_id uuid;
update api_secret s set subaccount_id = k.subaccount_id from api_key k where k.key = s.key;
create trigger fill_subaccount_of_key before insert on api_secret
  for each row when (new.subaccount_id is null) execute function fill_subaccount_of_key();
alter table api_secret alter column subaccount_id set not null;
create unique index api_secret_identity on api_secret (subaccount_id, key, id);
alter table api_secret replica identity using index api_secret_identity;

alter table api_secret_seen add column subaccount_id uuid;
update api_secret_seen s set subaccount_id = k.subaccount_id from api_key k where k.key = s.key;
create trigger fill_subaccount_of_key before insert on api_secret_seen
  for each row when (new.subaccount_id is null) execute function fill_subaccount_of_key();
alter table api_secret_seen alter column subaccount_id set not null;
create unique index api_secret_seen_identity on api_secret_seen (subaccount_id, key, who);
alter table api_secret_seen replica identity using index api_secret_seen_identity;

-- The move of a subaccount, in the cell that it leaves and in the cell that it joins.
create table subaccount_move (
  subaccount_id        uuid    not null,
  -- The same in both cells.
  id                   uuid    not null,
  side                 text    not null check (side in ('source', 'target')),
  step                 text    not null,
  other_cell           text    not null,
  -- Until then background work skips the subaccount.
  work_stops_until_ms  bigint  not null default 0,
  -- Until then its rows can't be written. It expires, so that a command that was killed stops nothing for long.
  writes_stop_until_ms bigint  not null default 0,
  -- The other cell has it: its rows here are never written again.
  has_moved            boolean not null default false,
  started_at_ms        bigint  not null,
  changed_at_ms        bigint  not null,
  facts                jsonb   not null default '{}',
  primary key (subaccount_id)
);

-- A row that the source writes to see when the target has received all that was committed before it.
create table subaccount_move_marker (
  subaccount_id uuid   not null,
  number        bigint not null,
  primary key (subaccount_id)
);

-- A trigger of each table calls it for the rows of a subaccount that moves, and only while it does. Arguments: the
-- subaccount, and `expires` for tables from which the cleanup deletes. The freeze takes the same lock exclusively, so it
-- waits for transactions that have written, and later ones see it.
create function refuse_moving_rows() returns trigger language plpgsql as $$
declare
  move record;
begin
  perform pg_advisory_xact_lock_shared(4242003, hashtext(tg_argv[0]));
  select m.has_moved, m.writes_stop_until_ms into move
  from subaccount_move m where m.subaccount_id = tg_argv[0]::uuid;
  if move.writes_stop_until_ms > (extract(epoch from clock_timestamp()) * 1000)::bigint
     and current_setting('disburse.deletes_moved', true) is distinct from tg_argv[0] then
    -- The cleanup serves all subaccounts with one statement, so it leaves out these rows instead of failing.
    if tg_op = 'DELETE' and tg_argv[1] = 'expires' then return null; end if;
    if move.has_moved then
      raise exception 'the subaccount has moved to another cell' using errcode = 'UN003';
    end if;
    raise exception 'the subaccount is moving to another cell' using errcode = 'UN002';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
