-- A list version that the folder brought is made by no user, so two users approve it: the first of them. Totals of rules
-- are filled before the rules are switched on: how far that is, for each balance.

alter table screening_list_version
  add column first_approved_by    text not null default '',
  add column first_approved_at_ms bigint;

-- Payouts of the subaccount up to this number of the ledger are in payout_count. The rest is added under the lock of the
-- balance by the first payout that the rules decide on, which deletes the row.
create table payout_count_fill (
  subaccount_id uuid   not null,
  currency      text   not null,
  epoch         bigint not null,
  up_to_number  bigint not null,
  primary key (subaccount_id, currency, epoch)
);
