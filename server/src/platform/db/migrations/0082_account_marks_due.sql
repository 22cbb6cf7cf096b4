-- New Zealand's numbers whose suffix may begin with a zero get the keyed hash of one form. The index is empty once all have it.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists bank_details_marks_due;
create index concurrently bank_details_marks_due on bank_details (subaccount_id, account_id, version)
  where country = 'NZL' and substr(account_number_tail, 2, 1) = '0' and mark_version is null and account_number_mark is not null;
