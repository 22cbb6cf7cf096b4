-- What a list of payouts walks down, whatever it is filtered by.

-- Serves currency, status and stage alike, as a status is nothing but some stages: a page reads one short range for
-- each pair and merges them. It takes the place of the index by status, so that a payout costs no more to write.
create index payout_by_stage on payout (subaccount_id, currency, stage, id);
drop index payout_by_status;

-- What a person made. Next to nothing is added by those of API keys.
create index payout_by_person on payout (subaccount_id, created_by, id) where created_by like 'operator:%';
