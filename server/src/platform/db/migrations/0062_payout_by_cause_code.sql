-- The search finds failed payouts by the code of their bank, newest first, however many have failed.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists payout_by_cause_code;
create index concurrently payout_by_cause_code on payout (subaccount_id, lower(cause_code) collate "C", id)
  where cause_code <> '';
