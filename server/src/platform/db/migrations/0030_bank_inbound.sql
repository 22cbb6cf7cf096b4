-- What comes back from banks: files, their lines, money that belongs to nobody yet, and recall requests.

alter table bank_batch_line
  -- A keyed hash of the payee's account, the amount and the reference in the file: returns are found by it.
  add column match_key text not null default '';
create index bank_batch_line_match on bank_batch_line (match_key) where match_key <> '';
create index bank_batch_line_of_payout on bank_batch_line (payout_id);

-- A file is applied whole or not at all, and once.
create table bank_inbound_file (
  id             uuid    primary key,
  connection_id  uuid    not null references bank_connection,
  sha256         text    not null constraint bank_inbound_file_applied unique,
  name           text    not null,
  format         text    not null,
  bytes          bigint  not null,
  received_at_ms bigint  not null,
  received_by    text    not null,
  lines          integer not null,
  applied        integer not null,
  noted          integer not null,
  suspended      integer not null,
  repeated       integer not null
);
create index bank_inbound_file_newest on bank_inbound_file (connection_id, id);

-- The bytes, encrypted: they hold account numbers.
create table bank_inbound_chunk (
  file_id uuid    not null references bank_inbound_file,
  number  integer not null,
  sealed  bytea   not null,
  primary key (file_id, number)
);

-- What a bank reports about one payment or one of our files.
create table bank_inbound_line (
  file_id       uuid    not null references bank_inbound_file,
  -- Counts from 1. Several may be on one line of the file.
  number        integer not null,
  line          integer not null,
  connection_id uuid    not null,
  -- Names the bank's item, as a keyed hash: overlapping files report it again. Null for such a repeated line.
  item_key      text,
  kind          text    not null check (kind in
                  ('return', 'rejection', 'settled', 'debited', 'accepted', 'change', 'other')),
  code          text    not null,
  bank_text     text    not null,
  reference     text    not null,
  day           text    not null,
  amount        bigint,
  currency      text    not null,
  subaccount_id uuid,
  payout_id     uuid,
  batch_id      uuid,
  outcome       text    not null check (outcome in ('applied', 'noted', 'suspended', 'repeated')),
  -- What was done, or why nothing was.
  detail        text    not null,
  primary key (file_id, number),
  foreign key (subaccount_id, payout_id) references payout
);
create unique index bank_inbound_line_item on bank_inbound_line (connection_id, item_key) where item_key is not null;
create index bank_inbound_line_of_payout on bank_inbound_line (subaccount_id, payout_id) where payout_id is not null;

-- What a person has to decide about.
create table bank_suspense_item (
  id            uuid    primary key,
  connection_id uuid    not null references bank_connection,
  file_id       uuid    not null,
  number        integer not null,
  -- The item that was split into this one and others.
  parent_id     uuid    references bank_suspense_item,
  kind          text    not null,
  reason        text    not null,
  code          text    not null,
  bank_text     text    not null,
  reference     text    not null,
  day           text    not null,
  account_tail  text    not null,
  amount        bigint  check (amount > 0),
  currency      text    not null,
  -- Whether the amount is in the books, under the internal subaccount.
  is_booked     boolean not null,
  -- The payout that the line names, where it names one.
  subaccount_id uuid,
  payout_id     uuid,
  status        text    not null check (status in ('open', 'matched', 'split', 'returned', 'closed', 'merged')),
  acts          integer not null default 0,
  created_at_ms bigint  not null,
  foreign key (file_id, number) references bank_inbound_line
);
create index bank_suspense_item_open on bank_suspense_item (connection_id, id) where status = 'open';
create index bank_suspense_item_oldest on bank_suspense_item (created_at_ms) where status = 'open';
create index bank_suspense_item_of_parent on bank_suspense_item (parent_id) where parent_id is not null;

-- Everything that was decided about an item. Nothing is changed or deleted: undoing is a new act.
create table bank_suspense_act (
  item_id       uuid    not null references bank_suspense_item,
  number        integer not null,
  act           text    not null check (act in ('match', 'split', 'return', 'close', 'undo')),
  reason        text    not null,
  subaccount_id uuid,
  payout_id     uuid,
  at_ms         bigint  not null,
  who           text    not null,
  primary key (item_id, number)
);

-- We asked a bank to stop or give back a payment that was sent. The answer is recorded; it moves no money by itself.
create table bank_recall (
  subaccount_id   uuid   not null,
  payout_id       uuid   not null,
  id              uuid   not null,
  connection_id   uuid   not null references bank_connection,
  note            text   not null,
  requested_at_ms bigint not null,
  requested_by    text   not null,
  outcome         text   not null default '' check (outcome in ('', 'accepted', 'refused', 'withdrawn')),
  outcome_note    text   not null default '',
  decided_at_ms   bigint,
  decided_by      text   not null default '',
  primary key (subaccount_id, payout_id, id),
  foreign key (subaccount_id, payout_id) references payout
);
create unique index bank_recall_open on bank_recall (subaccount_id, payout_id) where outcome = '';
