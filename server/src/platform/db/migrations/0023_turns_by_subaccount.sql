-- Payouts and identity checks that are due are taken in turns by subaccount, by indexes that have it before the time.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists payout_due_of_subaccount;
create index concurrently payout_due_of_subaccount on payout (rail, subaccount_id, due_at_ms)
  where due_at_ms is not null;
drop index concurrently if exists receiver_kyc_due_of_subaccount;
create index concurrently receiver_kyc_due_of_subaccount on receiver (kyc_provider, subaccount_id, kyc_due_at_ms)
  where kyc_due_at_ms is not null;
-- They take the place of these. A process of the version before finds the same rows by the new ones, only slower.
drop index concurrently if exists payout_due;
drop index concurrently if exists receiver_kyc_due;
