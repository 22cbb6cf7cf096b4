-- Fields that bank files carry and callers may give.

-- Empty: checking in the United States; other countries have neither.
alter table bank_details
  add column checking_or_savings text not null default ''
    check (checking_or_savings in ('', 'checking', 'savings')),
  add column business_name text not null default '';

-- ISO 20022 external purpose code, such as SALA.
alter table payout add column purpose text not null default '';

-- The payer's name that receivers see. Empty: the name of the bank connection.
alter table subaccount add column statement_name text not null default '';
