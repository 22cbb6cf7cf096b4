-- Bank connections, bank batches with their files, and what comes back from banks.

-- One of our own accounts at a bank. The settings of its format hold our account number, so they are encrypted.
create table bank_connection (
  id               uuid    primary key,
  name             text    not null constraint bank_connection_name_taken unique,
  format           text    not null,
  currency         text    not null check (currency ~ '^[A-Z]{3}$'),
  countries        text[]  not null check (countries <> '{}'),
  settings_sealed  bytea   not null,
  account_tail     text    not null,
  calendar         text    not null,
  -- Closed beside the calendar, YYYY-MM-DD.
  closed_days      text[]  not null default '{}',
  time_zone        text    not null,
  -- Wall-clock times, HH:MM: when we freeze a batch, and when the bank takes no more files for that day.
  freeze_at        text    not null check (freeze_at ~ '^\d\d:\d\d$'),
  bank_cutoff      text    not null check (bank_cutoff ~ '^\d\d:\d\d$'),
  -- When a payment counts as successful.
  success_when     text    not null check (success_when in ('days', 'confirmed', 'sent')),
  success_days     integer not null check (success_days between 0 and 30),
  releasers        integer not null check (releasers in (1, 2)),
  -- Null: every live subaccount.
  subaccount_ids   uuid[],
  file_count_max   integer check (file_count_max > 0),
  file_total_max   bigint  check (file_total_max > 0),
  files            bigint  not null default 0,
  created_at_ms    bigint  not null,
  created_by       text    not null,
  disabled_at_ms   bigint
);

-- Payouts that leave together, and the bank file that holds them. The file never changes.
create table bank_batch (
  id               uuid    primary key,
  connection_id    uuid    not null references bank_connection,
  sequence         bigint  not null check (sequence > 0),
  status           text    not null check (status in
                     ('frozen', 'approved', 'sending', 'sent', 'accepted', 'partly_rejected', 'rejected', 'discarded')),
  process_date     text    not null,
  cutoff_ms        bigint  not null,
  payouts          integer not null check (payouts > 0),
  total            bigint  not null check (total > 0),
  currency         text    not null,
  file_name        text    not null,
  file_sha256      text    not null,
  file_bytes       bigint  not null,
  frozen_at_ms     bigint  not null,
  frozen_by        text    not null,
  approved_at_ms   bigint,
  -- Everyone who approved the file, by its hash.
  approved_by      text[]  not null default '{}',
  downloaded_at_ms bigint,
  downloaded_by    text    not null default '',
  sent_at_ms       bigint,
  sent_by          text    not null default '',
  bank_reference   text    not null default '',
  -- Who asked to discard a file that may be at the bank. A second user confirms it.
  discard_by       text    not null default '',
  discarded_at_ms  bigint,
  unique (connection_id, sequence)
);
create index bank_batch_open on bank_batch (connection_id, id) where status in ('frozen', 'approved', 'sending');

create table bank_batch_chunk (
  -- The batch is inserted last, when its file is written.
  batch_id uuid    not null references bank_batch deferrable initially deferred,
  number   integer not null,
  sealed   bytea   not null,
  primary key (batch_id, number)
);

-- Which payout is in which file, under which reference. A discarded batch keeps its lines.
create table bank_batch_line (
  subaccount_id  uuid    not null,
  payout_id      uuid    not null,
  batch_id       uuid    not null references bank_batch deferrable initially deferred,
  line           integer not null,
  file_reference text    not null,
  primary key (subaccount_id, payout_id, batch_id),
  foreign key (subaccount_id, payout_id) references payout
);
create unique index bank_batch_line_in_order on bank_batch_line (batch_id, line);

alter table payout
  add column send_on text not null default '',
  add column statement_reference text not null default '',
  add column process_date text not null default '',
  add column expected_arrival text not null default '',
  add column bank_batch_id uuid,
  drop constraint payout_stage_check,
  add constraint payout_stage_check check (stage in ('awaiting_approval', 'queued', 'batched', 'submitted',
    'settled', 'rejected', 'cancelled', 'returned'));

-- What a freeze takes, in the order in which it locks.
create index payout_to_freeze on payout (rail, subaccount_id, id) where stage = 'queued' and process_date <> '';
