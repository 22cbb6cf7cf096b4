-- A user whose access one admin alone granted counts as that admin until another admin confirms the user, not for a day.

alter table user_vouch add column confirmed_by text not null default '';
alter table user_vouch add column confirmed_at_ms bigint;
-- Those older than a day were independent by the rule before.
update user_vouch set confirmed_at_ms = at_ms + 86400000
  where at_ms < (extract(epoch from now()) * 1000)::bigint - 86400000;
