-- The console finds one of many subaccounts by the beginning of its name, and the first open one.

create index subaccount_by_name on subaccount ((lower(suba_name) collate "C"), id);
create index subaccount_open on subaccount (id) where closed_at is null;
