-- Rules decide about payouts before money leaves: payouts can be on hold, and users approve in numbers.

-- Every row satisfies the constraint before, which allowed one stage less, so no scan is needed.
alter table payout
  drop constraint payout_stage_check,
  add constraint payout_stage_check check (stage in ('on_hold', 'awaiting_approval', 'queued', 'batched', 'submitted',
    'settled', 'rejected', 'cancelled', 'returned')) not valid;

-- Each time that a payout was on hold: since when, why, and who ended it. Only users see it.
create table payout_hold (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  id            uuid   not null,
  since_ms      bigint not null,
  held_by       text   not null,
  reasons       jsonb  not null,
  decision      text   check (decision in ('released', 'refused', 'cancelled', 'expired')),
  decided_by    text,
  decided_at_ms bigint,
  decided_why   text   not null default '',
  primary key (subaccount_id, payout_id, id),
  foreign key (subaccount_id, payout_id) references payout,
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at_ms is null))
);
create unique index payout_hold_one_open on payout_hold (subaccount_id, payout_id) where decision is null;
-- The review queue and the expiry read the oldest first, over all subaccounts.
create index payout_hold_open on payout_hold (since_ms, payout_id) include (subaccount_id) where decision is null;

-- Versions of the rules. A proposed version is approved by another user, and replaces the active one.
create table payout_rule_set (
  version       bigint generated always as identity primary key,
  -- The version that was active when this one was proposed. Null: there was none.
  base_version  bigint,
  rules         jsonb  not null,
  hash          text   not null,
  -- For each kind of subject: the version since which its payouts are counted without a gap.
  epochs        jsonb  not null default '{}',
  status        text   not null check (status in ('proposed', 'active', 'replaced', 'declined')),
  note          text   not null default '',
  made_by       text   not null,
  made_at_ms    bigint not null,
  decided_by    text,
  decided_at_ms bigint,
  decided_why   text   not null default ''
);
create unique index payout_rule_set_active on payout_rule_set (status) where status = 'active';

-- Running totals of accepted payouts for each subject: a receiver, an account or the subaccount itself. The sum of a
-- window is the newest row minus the newest row at or before the start of the window.
create table payout_count (
  subaccount_id uuid   not null,
  currency      text   not null,
  subject_id    uuid   not null,
  epoch         bigint not null,
  at_ms         bigint not null,
  number        bigint not null,
  total         numeric not null,
  primary key (subaccount_id, currency, subject_id, epoch, at_ms, number) include (total)
);

-- The rules that applied to a payout, with the figures that they compared.
create table payout_rule_match (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  rule_id       text   not null,
  version       bigint not null,
  name          text   not null,
  act           text   not null check (act in ('hold', 'second_person', 'approvals')),
  -- Of approvals: how many users of which role.
  approvals     int    check (approvals > 0),
  role          text,
  figures       jsonb  not null,
  primary key (subaccount_id, payout_id, rule_id),
  foreign key (subaccount_id, payout_id) references payout
);

-- Each user who approved a payout, with the role at that time.
create table payout_approval (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  who           text   not null,
  role          text   not null,
  at_ms         bigint not null,
  primary key (subaccount_id, payout_id, who),
  foreign key (subaccount_id, payout_id) references payout
);

-- A keyed hash of the account number, by which one account at two receivers is found. Null: written before there was one.
alter table bank_details add column account_number_mark text;
