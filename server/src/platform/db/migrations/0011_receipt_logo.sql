-- The picture on the receipts of a subaccount: PNG or JPEG, checked and without what is not pixels.
create table receipt_logo (
  subaccount_id uuid not null references subaccount,
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  bytes bytea not null,
  set_by text not null,
  set_at_ms bigint not null,
  primary key (subaccount_id)
);
