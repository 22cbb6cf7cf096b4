-- The review queue has hits and held payouts: what reviewers asked about them, and their decisions in order of time.

create table review_note (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  -- A UUID of version 7.
  id            uuid   not null,
  kind          text   not null check (kind in ('hit', 'hold')),
  -- The hit, or the payout.
  object_id     uuid   not null,
  -- subaccount: its users read the note on the page of the receiver, without the name of its author.
  audience      text   not null check (audience in ('subaccount', 'reviewers')),
  who           text   not null,
  at_ms         bigint not null,
  note          text   not null,
  primary key (subaccount_id, receiver_id, id),
  foreign key (subaccount_id, receiver_id) references receiver
);

create index screening_hit_decided on screening_hit (decided_at_ms, id) where status in ('same', 'different');
create index payout_hold_decided on payout_hold (decided_at_ms, id) where decision in ('released', 'refused');
