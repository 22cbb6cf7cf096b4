-- What people did, in one order, each entry chained to the one before it.

-- Append only, as the books are.
create table audit_entry (
  -- Counts up without a gap, under the lock of the head.
  number        bigint primary key check (number > 0),
  -- Never before that of the entry before, so that walking the numbers is walking the times.
  at_ms         bigint not null,
  who           text   not null,
  action        text   not null,
  object_kind   text   not null,
  object_id     text   not null,
  -- Null where it concerns no single subaccount.
  subaccount_id uuid,
  before        jsonb  not null,
  after         jsonb  not null,
  ip            text   not null,
  request_id    text   not null,
  -- Keyed, over every field and over the hash of the entry before: whoever has the database alone can't make one.
  previous_hash text   not null,
  hash          text   not null
);
create index audit_entry_by_who on audit_entry (who, number);
create index audit_entry_by_action on audit_entry (action, number);
create index audit_entry_of_object on audit_entry (object_id, number);
create index audit_entry_of_subaccount on audit_entry (subaccount_id, number);
create index audit_entry_by_time on audit_entry (at_ms);

-- The end of the chain. Whoever adds to it locks this one row first. Its mark is keyed as well and is written over
-- with each entry, so that an end that was cut off can't be passed off as the end.
create table audit_head (
  is_only bool   primary key default true check (is_only),
  number  bigint not null,
  at_ms   bigint not null,
  hash    text   not null,
  mark    text   not null
);
insert into audit_head (number, at_ms, hash, mark) values (0, 0, '', '');

do $$
begin
  revoke update, delete, truncate on audit_entry from disburse_service;
  revoke insert, delete, truncate on audit_head from disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
do $$
begin
  execute format('revoke update, delete, truncate on audit_entry from %I', current_user);
  execute format('revoke insert, delete, truncate on audit_head from %I', current_user);
end $$;
