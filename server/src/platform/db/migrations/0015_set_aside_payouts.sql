-- Payouts that can't be sent to the bank, or that it does not confirm, with the reason; and outcomes by hand.

-- A row goes when its payout moves on. The worker tries these payouts again with backoff.
create table payout_set_aside (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  since_ms      bigint not null,
  reason        text   not null,
  primary key (subaccount_id, payout_id),
  foreign key (subaccount_id, payout_id) references payout
);

-- An outcome that one user has proposed for a sent payout. A second user confirms it.
create table payout_resolution (
  subaccount_id  uuid   not null,
  payout_id      uuid   not null,
  outcome        text   not null check (outcome in ('paid', 'rejected')),
  reason         text   not null,
  proposed_by    text   not null,
  proposed_at_ms bigint not null,
  primary key (subaccount_id, payout_id),
  foreign key (subaccount_id, payout_id) references payout
);
