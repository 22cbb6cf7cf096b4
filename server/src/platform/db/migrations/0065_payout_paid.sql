-- Whether anything was paid to the bank details of an account is one probe, however many payouts to it wait.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists payout_paid;
create index concurrently payout_paid on payout (subaccount_id, account_id, account_version) where status = 'successful';
