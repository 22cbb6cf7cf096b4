-- Bank connections of test subaccounts, for the bank simulator.

alter table bank_connection
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  -- A version that does not know the mode takes a connection without a list for one of all live subaccounts.
  add constraint bank_connection_test_lists_subaccounts check (mode = 'live' or subaccount_ids is not null);
