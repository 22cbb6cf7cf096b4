-- All receiver accounts with one number are found, whatever the number of accounts.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists bank_details_by_mark;
create index concurrently bank_details_by_mark on bank_details (subaccount_id, account_number_mark, account_id, version)
  where account_number_mark is not null;
