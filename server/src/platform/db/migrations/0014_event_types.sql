-- What events on request need: the levels of balances by currency, in minor units, and how many payouts of a batch have ended.
-- Only batches whose end was asked for have these figures.
alter table subaccount add column balance_levels jsonb default '{}'::jsonb not null;
alter table payout_batch add column payouts integer;
alter table payout_batch add column pending integer;
alter table payout_batch add column failed integer;
