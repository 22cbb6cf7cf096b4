-- What a payer writes on a transfer, so that the bank's statement says whose balance it funds.

create table deposit_reference (
  subaccount_id uuid   not null references subaccount,
  currency      text   not null check (currency ~ '^[A-Z]{3}$'),
  reference     text   not null check (reference ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  created_at_ms bigint not null,
  primary key (subaccount_id, currency),
  constraint deposit_reference_taken unique (reference)
);
