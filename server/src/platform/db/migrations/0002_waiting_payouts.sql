-- The approval queue shows a batch as one line: payouts that wait alone, and batches with payouts that wait, each in order.
-- outside a transaction
drop index concurrently if exists payout_awaiting_alone;
create index concurrently payout_awaiting_alone on payout (id) include (subaccount_id)
  where stage = 'awaiting_approval' and batch_id is null;
drop index concurrently if exists payout_awaiting_alone_of_subaccount;
create index concurrently payout_awaiting_alone_of_subaccount on payout (subaccount_id, id)
  where stage = 'awaiting_approval' and batch_id is null;
drop index concurrently if exists payout_awaiting_in_batch;
create index concurrently payout_awaiting_in_batch on payout (batch_id, subaccount_id)
  where stage = 'awaiting_approval' and batch_id is not null;
drop index concurrently if exists payout_awaiting_in_batch_of_subaccount;
create index concurrently payout_awaiting_in_batch_of_subaccount on payout (subaccount_id, batch_id)
  include (currency, amount) where stage = 'awaiting_approval' and batch_id is not null;
