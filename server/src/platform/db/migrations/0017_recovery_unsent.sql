-- A recovery may leave out events that were never sent because there was no address: they did not fail.

alter table event_recovery add column with_unsent boolean not null default true;
