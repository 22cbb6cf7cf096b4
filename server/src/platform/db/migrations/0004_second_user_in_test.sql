-- A test subaccount can do without a second user. Those that are there go on as they are.
alter table subaccount add column needs_second_user boolean not null default true;
