-- The console finds receivers, payouts and subaccounts by the start of any of their words. Words are written when a user
-- searches, and by the console's process in the background: creating a receiver or a payout writes none.

create table receiver_word (
  subaccount_id uuid not null,
  -- Without accents, in lower case.
  word          text collate "C" not null,
  receiver_id   uuid not null,
  primary key (subaccount_id, word, receiver_id)
);
-- For a change and for erasure.
create index receiver_word_of_receiver on receiver_word (subaccount_id, receiver_id);

create table payout_word (
  subaccount_id uuid not null,
  -- A word of the reference, or the amount in units of its currency, such as 1250.00.
  word          text collate "C" not null,
  payout_id     uuid not null,
  primary key (subaccount_id, word, payout_id)
);
create index payout_word_of_payout on payout_word (subaccount_id, payout_id);

create table subaccount_word (
  subaccount_id uuid not null,
  word          text collate "C" not null,
  primary key (subaccount_id, word)
);
create index subaccount_word_by_word on subaccount_word (word, subaccount_id);

-- Which rows have their words: those with ids from the first one on, and below the second one. The words of subaccounts
-- themselves have the subaccount of zeros.
create table search_progress (
  subaccount_id  uuid not null,
  receivers_from uuid not null,
  receivers_to   uuid not null,
  payouts_from   uuid not null,
  payouts_to     uuid not null,
  primary key (subaccount_id)
);
