-- Why a payout waits for approval: shown where a second person decides about it.

create table payout_approval_reason (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  rule          text   not null check (rule in ('payout', 'batch', 'receiver_day', 'bank_details')),
  -- The threshold when the payout was made, in minor units. Null: the rule has none.
  above         bigint,
  primary key (subaccount_id, payout_id, rule),
  foreign key (subaccount_id, payout_id) references payout
);
