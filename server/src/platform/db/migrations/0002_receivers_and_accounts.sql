-- Receivers and accounts, complete: identity checks that go on in the background, a history of states,
-- bank details in versions, events to be told, and answers that are given twice but earned once.

alter table receiver
  -- Who made it: key:<api key>, operator:<name>.
  add column created_by      text   not null default '',
  add column kyc_provider    text   not null default 'manual',
  -- What the background has to do next, and when. Whoever does it moves the time ahead first, which is
  -- its lease: when it dies, the step becomes due again.
  add column kyc_step        text   check (kyc_step in ('create', 'restart', 'ask')),
  add column kyc_due_at_ms   bigint,
  add column kyc_attempts    int    not null default 0,
  -- Reports about what happened before this moment are too late to count.
  add column kyc_heard_at_ms bigint not null default 0,
  add constraint receiver_kyc_step_is_due check ((kyc_step is null) = (kyc_due_at_ms is null));

create index receiver_kyc_due on receiver (kyc_provider, kyc_due_at_ms) where kyc_due_at_ms is not null;
create index receiver_by_reference on receiver (subaccount_id, reference, id) where reference <> '';
-- A provider names the applicant alone. Applicants of our own making are never named to us.
create index receiver_by_applicant on receiver (kyc_provider, applicant_id)
  where kyc_provider not in ('manual', 'sandbox') and applicant_id <> '';

-- Its first line, the creation, is the receiver's own row.
create table receiver_history (
  subaccount_id   uuid   not null,
  receiver_id     uuid   not null,
  id              uuid   not null,
  at_ms           bigint not null,
  -- key:<api key>, operator:<name>, provider:<name>, or service.
  who             text   not null,
  from_status     text   not null,
  to_status       text   not null,
  from_kyc_status text   not null,
  to_kyc_status   text   not null,
  reason          text   not null,
  primary key (subaccount_id, receiver_id, id),
  foreign key (subaccount_id, receiver_id) references receiver
);

-- What identity checks and operators have said, each once, also where it changed nothing.
create table kyc_report (
  subaccount_id   uuid   not null,
  receiver_id     uuid   not null,
  event_id        text   not null,
  provider        text   not null,
  occurred_at_ms  bigint not null,
  received_at_ms  bigint not null,
  outcome         text   not null check (outcome in ('pending', 'approved', 'rejected', 'retry', 'on_hold')),
  labels          text[] not null,
  public_comment  text   not null,
  private_comment text   not null,
  primary key (subaccount_id, receiver_id, event_id),
  foreign key (subaccount_id, receiver_id) references receiver
);

-- The outbox: written in the transaction of the change that it tells.
create table event (
  subaccount_id uuid   not null,
  id            uuid   not null,
  -- Given under the lock of what changed, so that it counts up in the order of the changes to one thing.
  number        bigint not null generated always as identity,
  -- The payout or the receiver that it is about: events of one are told in order.
  order_key     uuid   not null,
  type          text   not null,
  -- The bytes to send, the same on every try.
  body          text   not null,
  created_at_ms bigint not null,
  primary key (subaccount_id, id)
);
create index event_in_order on event (subaccount_id, order_key, number);

-- Answers to requests that came with an Idempotency-Key, to be given again.
create table idempotency_key (
  subaccount_id uuid   not null,
  key           text   not null,
  request_id    uuid   not null,
  request_hash  text   not null,
  answer        text   not null,
  expires_at_ms bigint not null,
  primary key (subaccount_id, key)
);
-- Rows come in the order of their expiry, so this is as good as a full index and costs next to nothing.
create index idempotency_key_expiry on idempotency_key using brin (expires_at_ms);

-- Bank details are never edited: a change is a new version, and a payout keeps the one it was sent to.
create table bank_details (
  subaccount_id          uuid   not null,
  account_id             uuid   not null,
  version                int    not null check (version > 0),
  country                text   not null,
  individual_or_business text   not null check (individual_or_business in ('I', 'B')),
  account_number_sealed  bytea  not null,
  -- The end of the number, for those who need to recognise it and not to know it.
  account_number_tail    text   not null,
  bsb                    text   not null,
  bank_code              text   not null,
  bank_name              text   not null,
  abn                    text   not null,
  acn                    text   not null,
  nzbn                   text   not null,
  created_at_ms          bigint not null,
  created_by             text   not null,
  primary key (subaccount_id, account_id, version),
  foreign key (subaccount_id, account_id) references receiver_account
);

insert into bank_details (
  subaccount_id, account_id, version, country, individual_or_business, account_number_sealed,
  account_number_tail, bsb, bank_code, bank_name, abn, acn, nzbn, created_at_ms, created_by)
select subaccount_id, id, 1, country, individual_or_business, account_number_sealed,
       '', bsb, bank_code, '', abn, acn, nzbn, created_at_ms, ''
from receiver_account;

alter table receiver_account
  add column version int not null default 1,
  add column status  text not null default 'active' check (status in ('active', 'inactive')),
  drop column individual_or_business,
  drop column account_number_sealed,
  drop column bsb,
  drop column bank_code,
  drop column abn,
  drop column acn,
  drop column nzbn;
