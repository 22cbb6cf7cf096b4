-- A subaccount may ask for types of events beside the published ones, which everyone is sent.

alter table endpoint add column event_types text[] not null default '{}';
