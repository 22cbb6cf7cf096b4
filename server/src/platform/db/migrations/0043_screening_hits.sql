-- Screening: against which set of list entries each receiver and account was screened last, and what was found.

create table screening_record (
  subaccount_id  uuid   not null,
  subject_kind   text   not null check (subject_kind in ('receiver', 'account')),
  subject_id     uuid   not null,
  -- 0: not screened yet. The subject was created before there was a list.
  set_id         bigint not null,
  screened_at_ms bigint not null,
  primary key (subaccount_id, subject_kind, subject_id)
);
-- Records below the current set are the work of the worker, by set and subaccount.
create index screening_record_of_set on screening_record (set_id, subaccount_id, subject_kind, subject_id);

create table screening_hit (
  subaccount_id uuid   not null,
  -- A UUID of version 7.
  id            uuid   not null,
  subject_kind  text   not null check (subject_kind in ('receiver', 'account')),
  subject_id    uuid   not null,
  -- The receiver, or the receiver of the account.
  receiver_id   uuid   not null,
  list          text   not null,
  entry_key     text   not null,
  entry_hash    text   not null,
  subject_hash  text   not null,
  score         double precision not null check (score between 0 and 1),
  explanation   jsonb  not null,
  -- ended: the entry was removed or changed, or a newer hit on the same entry replaced it.
  status        text   not null default 'open' check (status in ('open', 'same', 'different', 'ended')),
  opened_at_ms  bigint not null,
  -- The first of the two users who say that it is the same person.
  same_by       text   not null default '',
  same_at_ms    bigint,
  decided_by    text   not null default '',
  decided_at_ms bigint,
  reason        text   not null default '',
  primary key (subaccount_id, id),
  -- A decision is remembered until the entry or the subject changes.
  constraint screening_hit_once
    unique (subaccount_id, subject_kind, subject_id, list, entry_key, entry_hash, subject_hash)
);
-- The payouts of these receivers are held.
create index screening_hit_of_receiver on screening_hit (subaccount_id, receiver_id)
  where status in ('open', 'same');
create index screening_hit_open on screening_hit (opened_at_ms, subaccount_id, id) where status = 'open';

-- Receivers and accounts up to this id have a record. Ids are made in order of time.
create table screening_walk (
  subaccount_id uuid not null,
  subject_kind  text not null check (subject_kind in ('receiver', 'account')),
  after_id      uuid not null,
  primary key (subaccount_id, subject_kind)
);
