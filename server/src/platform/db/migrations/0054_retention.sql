-- Retention: how far old rows have been gone through. Rows of the installation itself have the subaccount of zeros.

create table retention_progress (
  subaccount_id uuid not null,
  place         text not null,
  -- The last row, by its id or number.
  after_key     text not null,
  -- Rows before it that were too young: a payout that changed later.
  later         uuid[] not null default '{}',
  primary key (subaccount_id, place)
);
