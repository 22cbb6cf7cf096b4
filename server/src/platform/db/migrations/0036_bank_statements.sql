-- Bank statements with their lines, what each line was matched with, and months that were closed against the bank.

-- A statement or a notification of a file from a bank. Statements are chained: each opens with what the one before closed with.
create table bank_statement (
  id            uuid    primary key,
  connection_id uuid    not null references bank_connection,
  file_id       uuid    not null references bank_inbound_file,
  -- Its place in the file, from 1.
  number        integer not null,
  -- Only statements move the balance. A notification tells the same earlier.
  kind          text    not null check (kind in ('statement', 'notification')),
  -- The bank's own name and number of it.
  bank_id       text    not null,
  sequence      text    not null,
  currency      text    not null,
  -- YYYY-MM-DD, by the bank's days.
  from_day      text    not null,
  to_day        text    not null,
  -- Null where the bank gives none.
  opening       bigint,
  closing       bigint,
  lines         integer not null,
  -- Lines that earlier statements had as well.
  repeated      integer not null,
  unique (file_id, number)
);
create index bank_statement_in_order on bank_statement (connection_id, to_day, id);

create table bank_statement_line (
  id             uuid    primary key,
  connection_id  uuid    not null references bank_connection,
  statement_id   uuid    not null references bank_statement deferrable initially deferred,
  number         integer not null,
  -- Booking and value date, by the bank's days.
  day            text    not null,
  value_day      text    not null,
  -- Minor units; below zero: money left our account.
  amount         bigint  not null check (amount <> 0),
  currency       text    not null,
  code           text    not null,
  bank_reference text    not null,
  reference      text    not null,
  bank_text      text    not null,
  party          text    not null,
  account_tail   text    not null,
  -- A keyed hash of all that the bank tells about the line, and which of equal lines it is.
  content_key    text    not null,
  occurrence     integer not null check (occurrence > 0),
  -- The report of the same file that booked it, if there is one: a return, or a credit in suspense.
  report_number  integer,
  status         text    not null check (status in ('open', 'matched', 'suspended', 'noted')),
  constraint bank_statement_line_once unique (connection_id, content_key, occurrence)
);
create index bank_statement_line_in_order on bank_statement_line (statement_id, number);
create index bank_statement_line_by_day on bank_statement_line (connection_id, day, id);
create index bank_statement_line_open on bank_statement_line (connection_id, id) where status = 'open';

-- What a line, or a part of it, was matched with. Entries are never changed, but for the mark that a later entry undid them.
create table bank_match (
  id            uuid    primary key,
  connection_id uuid    not null references bank_connection,
  line_id       uuid    not null references bank_statement_line,
  -- Entries that were made together, and are undone together.
  act_id        uuid    not null,
  -- payout, batch: it paid them. return: the payout came back. fund: it funded a subaccount. company: the company's own money.
  kind          text    not null check (kind in ('payout', 'batch', 'return', 'fund', 'company', 'undo')),
  rule          text    not null,
  reason        text    not null,
  -- Signed, as the line.
  amount        bigint  not null,
  batch_id      uuid    references bank_batch,
  subaccount_id uuid,
  payout_id     uuid,
  transfer_id   uuid,
  undoes_id     uuid    references bank_match,
  is_undone     boolean not null default false,
  made_by       text    not null,
  at_ms         bigint  not null,
  constraint bank_match_undone_once unique (undoes_id)
);
create index bank_match_of_line on bank_match (line_id);
create index bank_match_of_act on bank_match (act_id);
create index bank_match_of_batch on bank_match (batch_id) where batch_id is not null and not is_undone;
-- A line for a whole batch, among the lines for each of its payouts.
create index bank_match_of_whole_batch on bank_match (batch_id) where kind = 'batch' and not is_undone;
create unique index bank_match_payout_once on bank_match (subaccount_id, payout_id) where kind = 'payout' and not is_undone;
create index bank_match_of_transfer on bank_match (subaccount_id, transfer_id) where transfer_id is not null;

-- A month of a bank connection in which the books met the bank. The document of the closing is kept as it was.
create table bank_closing (
  connection_id uuid    not null references bank_connection,
  month         text    not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  currency      text    not null,
  statement_id  uuid    not null references bank_statement,
  books         bigint  not null,
  bank          bigint  not null,
  in_transit    bigint  not null,
  csv           bytea   not null,
  csv_sha256    text    not null,
  pdf           bytea   not null,
  pdf_sha256    text    not null,
  closed_at_ms  bigint  not null,
  closed_by     text    not null,
  primary key (connection_id, month),
  check (books = bank + in_transit)
);

-- What was in transit at the end of a closed month: in the books and not on the statement, or the other way round.
create table bank_closing_item (
  connection_id uuid   not null,
  month         text   not null,
  item          text   not null,
  -- The books less the bank.
  amount        bigint not null check (amount <> 0),
  primary key (connection_id, month, item),
  foreign key (connection_id, month) references bank_closing
);

-- Who looks after an exception, and what was found out. The newest entry counts.
create table bank_exception_note (
  item   text    not null,
  number integer not null,
  owner  text    not null,
  note   text    not null,
  at_ms  bigint  not null,
  who    text    not null,
  primary key (item, number)
);

-- A keyed hash of the payee's account and the amount, by which a line without our reference is found.
alter table bank_batch_line add column account_key text not null default '';
create index bank_batch_line_account on bank_batch_line (account_key) where account_key <> '';
create index bank_batch_expected on bank_batch (connection_id, process_date);

alter table bank_inbound_line drop constraint bank_inbound_line_kind_check;
alter table bank_inbound_line add constraint bank_inbound_line_kind_check check (kind in
  ('return', 'rejection', 'settled', 'debited', 'accepted', 'change', 'credit', 'other')) not valid;

-- An item can be given to a subaccount or to the company.
alter table bank_suspense_act drop constraint bank_suspense_act_act_check;
alter table bank_suspense_act add constraint bank_suspense_act_act_check check (act in
  ('match', 'split', 'return', 'close', 'fund', 'company', 'undo'));
alter table bank_suspense_act add column transfer_id uuid;
create index bank_suspense_act_of_payout on bank_suspense_act (payout_id) where payout_id is not null;
create index bank_suspense_act_of_transfer on bank_suspense_act (transfer_id) where transfer_id is not null;
alter table bank_suspense_item drop constraint bank_suspense_item_status_check;
alter table bank_suspense_item add constraint bank_suspense_item_status_check check (status in
  ('open', 'matched', 'split', 'returned', 'closed', 'funded', 'company', 'merged'));

-- The company's own money at the bank: what it put in, less what the bank charges. Only the internal subaccounts have it.
alter table ledger_balance add column company bigint not null default 0;
alter table ledger_balance drop constraint ledger_balanced;
alter table ledger_balance add constraint ledger_balanced
  check (available + held + clearing + returns + fees + company = bank) not valid;
alter table ledger_balance validate constraint ledger_balanced;

-- The books of one bank connection, in the order of time.
create index ledger_transfer_into_bank on ledger_transfer (debit, created_at_ms) where debit like 'bank:%';
create index ledger_transfer_out_of_bank on ledger_transfer (credit, created_at_ms) where credit like 'bank:%';
