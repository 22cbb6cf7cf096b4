-- What a developer looks at: the attempts of an endpoint by their time, and who stopped what.

-- The newest attempts of a subaccount, whatever events they are of.
create index delivery_attempt_by_time on delivery_attempt (subaccount_id, id);

-- Null where nobody paused it. Where somebody did, disabled_at_ms is set, as it is by an answer of 410.
alter table endpoint add column paused_by text;

-- Null where it ran to its end, or still runs.
alter table event_recovery add column cancelled_by text;
