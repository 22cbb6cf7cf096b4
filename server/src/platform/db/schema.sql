-- The tables, indexes, functions and triggers after all migrations.
-- Written by npm run generate from a migrated database. Nothing reads it: the migrations are what is applied.

create sequence event_number;

CREATE OR REPLACE FUNCTION body_with_metadata(subaccount uuid, object uuid, body text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(left(body, -1) || ',"metadata":' || (
    select p.metadata from payout p where p.subaccount_id = subaccount and p.id = object
    union all select r.metadata from receiver r where r.subaccount_id = subaccount and r.id = object
    union all select a.metadata from receiver_account a where a.subaccount_id = subaccount and a.id = object
  )::text || '}', body)
$function$;

CREATE OR REPLACE FUNCTION empty_transfer_references(of_subaccount uuid, of_payouts uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update ledger_transfer set reference = ''
  where subaccount_id = of_subaccount and payout_id = any(of_payouts) and reference <> ''
$function$;

CREATE OR REPLACE FUNCTION fill_subaccount_of_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.subaccount_id := (select k.subaccount_id from api_key k where k.key = new.key);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION first_id_of(ms bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$ select (lpad(to_hex(ms), 12, '0') || '00000000000000000000')::uuid $function$;

CREATE OR REPLACE FUNCTION keep_partitions_of(parent text, days integer, kept_days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  day_ms   constant bigint := 86400000;
  now_ms   constant bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  step_ms  constant bigint := days * day_ms;
  start_ms bigint := now_ms / step_ms * step_ms - step_ms;
  old      record;
begin
  if parent not in ('event', 'delivery_attempt', 'request_log') then raise exception 'not a table of ours'; end if;
  -- Another process is doing it.
  if not pg_try_advisory_xact_lock(hashtext('keep_partitions_of ' || parent)) then return; end if;
  while start_ms <= now_ms + greatest(step_ms, 3 * day_ms) loop
    begin
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L) %s',
        parent || to_char(to_timestamp(start_ms / 1000) at time zone 'UTC', '_YYYYMMDD'), parent,
        first_id_of(start_ms), first_id_of(start_ms + step_ms),
        case parent when 'request_log' then 'with (autovacuum_vacuum_insert_threshold = -1)' end);
    exception
      -- Some of its rows are in the default partition. They stay there, and so do those that follow.
      when check_violation then null;
    end;
    start_ms := start_ms + step_ms;
  end loop;
  -- What can't be dropped or deleted now, because someone reads it, is for the next time.
  begin
    for old in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent::regclass and c.relname ~ '_\d{8}$'
        and to_date(right(c.relname, 8), 'YYYYMMDD') + days
            < (to_timestamp(now_ms / 1000) at time zone 'UTC')::date - kept_days
    loop
      execute format('drop table %I', old.relname);
    end loop;
    execute format('delete from %I where id < %L', parent || '_default',
      first_id_of(now_ms - (kept_days + days) * day_ms));
  exception
    when lock_not_available or deadlock_detected then null;
  end;
end $function$;

CREATE OR REPLACE FUNCTION ms_of_id(id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint $function$;

CREATE OR REPLACE FUNCTION number_payout_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update payout set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.payout_id
  returning history_entries into new.number;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION number_receiver_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update receiver set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.receiver_id
  returning history_entries into new.number;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION redact_audit_entries(entries json)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update audit_entry e
  set before = '{}', after = '{}', redaction_mark = r.mark,
      who = case when r.with_actor then '' else e.who end,
      ip = case when r.with_actor then '' else e.ip end,
      request_id = case when r.with_actor then '' else e.request_id end
  from json_to_recordset(entries) as r(number bigint, mark text, with_actor boolean)
  where e.number = r.number
$function$;

CREATE OR REPLACE FUNCTION refuse_moving_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  move record;
begin
  perform pg_advisory_xact_lock_shared(4242003, hashtext(tg_argv[0]));
  select m.has_moved, m.writes_stop_until_ms into move
  from subaccount_move m where m.subaccount_id = tg_argv[0]::uuid;
  if move.writes_stop_until_ms > (extract(epoch from clock_timestamp()) * 1000)::bigint
     and current_setting('disburse.deletes_moved', true) is distinct from tg_argv[0] then
    -- The cleanup serves all subaccounts with one statement, so it leaves out these rows instead of failing.
    if tg_op = 'DELETE' and tg_argv[1] = 'expires' then return null; end if;
    if move.has_moved then
      raise exception 'the subaccount has moved to another cell' using errcode = 'UN003';
    end if;
    raise exception 'the subaccount is moving to another cell' using errcode = 'UN002';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION undo_statement()
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'undone on purpose' using errcode = 'UN001';
end $function$;

create table api_key (
  key text not null,
  subaccount_id uuid not null,
  name text not null,
  scopes text[] not null,
  addresses text[] default '{}'::text[] not null,
  version2_only boolean default false not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  awaiting_approval boolean default false not null,
  constraint api_key_pkey PRIMARY KEY (key),
  constraint api_key_scopes_check CHECK (scopes <@ ARRAY['read'::text, 'write'::text, 'payout'::text, 'bank_details'::text] AND scopes <> '{}'::text[]),
  constraint api_key_subaccount_id_fkey FOREIGN KEY (subaccount_id) REFERENCES subaccount(id)
);
CREATE UNIQUE INDEX api_key_identity ON api_key USING btree (subaccount_id, key);
CREATE INDEX api_key_of_subaccount ON api_key USING btree (subaccount_id);

create table api_nonce (
  subaccount_id uuid not null,
  key text not null,
  nonce text not null,
  request_id uuid not null,
  expires_at_ms bigint not null,
  constraint api_nonce_pkey PRIMARY KEY (subaccount_id, key, nonce)
);
CREATE INDEX api_nonce_expiry ON api_nonce USING btree (expires_at_ms);

create table api_secret (
  key text not null,
  id uuid not null,
  sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  subaccount_id uuid not null,
  awaiting_approval boolean default false not null,
  constraint api_secret_key_fkey FOREIGN KEY (key) REFERENCES api_key(key),
  constraint api_secret_pkey PRIMARY KEY (key, id)
);
CREATE UNIQUE INDEX api_secret_identity ON api_secret USING btree (subaccount_id, key, id);
CREATE TRIGGER fill_subaccount_of_key BEFORE INSERT ON api_secret FOR EACH ROW WHEN (new.subaccount_id IS NULL) EXECUTE FUNCTION fill_subaccount_of_key();

create table api_secret_seen (
  key text not null,
  who text not null,
  seen_at timestamp with time zone default now() not null,
  subaccount_id uuid not null,
  constraint api_secret_seen_key_fkey FOREIGN KEY (key) REFERENCES api_key(key),
  constraint api_secret_seen_pkey PRIMARY KEY (key, who)
);
CREATE UNIQUE INDEX api_secret_seen_identity ON api_secret_seen USING btree (subaccount_id, key, who);
CREATE TRIGGER fill_subaccount_of_key BEFORE INSERT ON api_secret_seen FOR EACH ROW WHEN (new.subaccount_id IS NULL) EXECUTE FUNCTION fill_subaccount_of_key();

create table audit_entry (
  number bigint not null,
  at_ms bigint not null,
  who text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  subaccount_id uuid,
  before jsonb not null,
  after jsonb not null,
  ip text not null,
  request_id text not null,
  previous_hash text not null,
  hash text not null,
  redaction_mark text,
  token text,
  constraint audit_entry_number_check CHECK (number > 0),
  constraint audit_entry_pkey PRIMARY KEY (number)
);
CREATE INDEX audit_entry_by_action ON audit_entry USING btree (action, number);
CREATE INDEX audit_entry_by_time ON audit_entry USING btree (at_ms);
CREATE INDEX audit_entry_by_who ON audit_entry USING btree (who, number);
CREATE INDEX audit_entry_of_object ON audit_entry USING btree (object_id, number);
CREATE INDEX audit_entry_of_subaccount ON audit_entry USING btree (subaccount_id, number);

create table audit_head (
  is_only boolean default true not null,
  number bigint not null,
  at_ms bigint not null,
  hash text not null,
  mark text not null,
  constraint audit_head_is_only_check CHECK (is_only),
  constraint audit_head_pkey PRIMARY KEY (is_only)
);

create table audit_verified (
  is_only boolean default true not null,
  verified_at_ms bigint not null,
  number bigint not null,
  fault text not null,
  mark text not null,
  hash text default ''::text not null,
  constraint audit_verified_is_only_check CHECK (is_only),
  constraint audit_verified_pkey PRIMARY KEY (is_only)
);

create table bank_alone_total (
  day text not null,
  currency text not null,
  total bigint not null,
  constraint bank_alone_total_pkey PRIMARY KEY (day, currency)
);

create table bank_batch (
  id uuid not null,
  connection_id uuid not null,
  sequence bigint not null,
  status text not null,
  process_date text not null,
  cutoff_ms bigint not null,
  payouts integer not null,
  total bigint not null,
  currency text not null,
  file_name text not null,
  file_sha256 text not null,
  file_bytes bigint not null,
  frozen_at_ms bigint not null,
  frozen_by text not null,
  approved_at_ms bigint,
  approved_by text[] default '{}'::text[] not null,
  downloaded_at_ms bigint,
  downloaded_by text default ''::text not null,
  sent_at_ms bigint,
  sent_by text default ''::text not null,
  bank_reference text default ''::text not null,
  discard_by text default ''::text not null,
  discarded_at_ms bigint,
  read_at_ms bigint,
  discard_asked_at_ms bigint,
  constraint bank_batch_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_batch_connection_id_sequence_key UNIQUE (connection_id, sequence),
  constraint bank_batch_payouts_check CHECK (payouts > 0),
  constraint bank_batch_pkey PRIMARY KEY (id),
  constraint bank_batch_sequence_check CHECK (sequence > 0),
  constraint bank_batch_status_check CHECK (status = ANY (ARRAY['frozen'::text, 'approved'::text, 'sending'::text, 'sent'::text, 'accepted'::text, 'partly_rejected'::text, 'rejected'::text, 'discarded'::text])),
  constraint bank_batch_total_check CHECK (total > 0)
);
CREATE INDEX bank_batch_expected ON bank_batch USING btree (connection_id, process_date);
CREATE INDEX bank_batch_open ON bank_batch USING btree (connection_id, id) WHERE (status = ANY (ARRAY['frozen'::text, 'approved'::text, 'sending'::text]));

create table bank_batch_chunk (
  batch_id uuid not null,
  number integer not null,
  sealed bytea not null,
  constraint bank_batch_chunk_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES bank_batch(id) DEFERRABLE INITIALLY DEFERRED,
  constraint bank_batch_chunk_pkey PRIMARY KEY (batch_id, number)
);

create table bank_batch_encrypted_chunk (
  batch_id uuid not null,
  number integer not null,
  bytes bytea not null,
  constraint bank_batch_encrypted_chunk_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES bank_batch(id),
  constraint bank_batch_encrypted_chunk_pkey PRIMARY KEY (batch_id, number)
);

create table bank_batch_line (
  subaccount_id uuid not null,
  payout_id uuid not null,
  batch_id uuid not null,
  line integer not null,
  file_reference text not null,
  match_key text default ''::text not null,
  account_key text default ''::text not null,
  constraint bank_batch_line_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES bank_batch(id) DEFERRABLE INITIALLY DEFERRED,
  constraint bank_batch_line_pkey PRIMARY KEY (subaccount_id, payout_id, batch_id),
  constraint bank_batch_line_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);
CREATE INDEX bank_batch_line_account ON bank_batch_line USING btree (account_key) WHERE (account_key <> ''::text);
CREATE UNIQUE INDEX bank_batch_line_in_order ON bank_batch_line USING btree (batch_id, line);
CREATE INDEX bank_batch_line_match ON bank_batch_line USING btree (match_key) WHERE (match_key <> ''::text);
CREATE INDEX bank_batch_line_of_payout ON bank_batch_line USING btree (payout_id);

create table bank_batch_send (
  batch_id uuid not null,
  token uuid,
  after_ms bigint,
  tries integer default 0 not null,
  problem text default ''::text not null,
  destination text default ''::text not null,
  name text default ''::text not null,
  is_encrypted boolean default false not null,
  sha256 text default ''::text not null,
  bytes bigint default 0 not null,
  renaming_at_ms bigint,
  constraint bank_batch_send_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES bank_batch(id),
  constraint bank_batch_send_pkey PRIMARY KEY (batch_id)
);

create table bank_closing (
  connection_id uuid not null,
  month text not null,
  currency text not null,
  statement_id uuid not null,
  books bigint not null,
  bank bigint not null,
  in_transit bigint not null,
  csv bytea not null,
  csv_sha256 text not null,
  pdf bytea not null,
  pdf_sha256 text not null,
  closed_at_ms bigint not null,
  closed_by text not null,
  constraint bank_closing_check CHECK (books = (bank + in_transit)),
  constraint bank_closing_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_closing_month_check CHECK (month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text),
  constraint bank_closing_pkey PRIMARY KEY (connection_id, month),
  constraint bank_closing_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id)
);

create table bank_closing_item (
  connection_id uuid not null,
  month text not null,
  item text not null,
  amount bigint not null,
  constraint bank_closing_item_amount_check CHECK (amount <> 0),
  constraint bank_closing_item_connection_id_month_fkey FOREIGN KEY (connection_id, month) REFERENCES bank_closing(connection_id, month),
  constraint bank_closing_item_pkey PRIMARY KEY (connection_id, month, item)
);

create table bank_connection (
  id uuid not null,
  name text not null,
  format text not null,
  currency text not null,
  countries text[] not null,
  settings_sealed bytea not null,
  account_tail text not null,
  calendar text not null,
  closed_days text[] default '{}'::text[] not null,
  time_zone text not null,
  freeze_at text not null,
  bank_cutoff text not null,
  success_when text not null,
  success_days integer not null,
  releasers integer not null,
  subaccount_ids uuid[],
  file_count_max integer,
  file_total_max bigint,
  files bigint default 0 not null,
  created_at_ms bigint not null,
  created_by text not null,
  disabled_at_ms bigint,
  travels text default 'download'::text not null,
  sftp_sealed bytea,
  mode text default 'live'::text not null,
  fee_fixed bigint,
  fee_min bigint,
  fee_max bigint,
  fee_percent text,
  fee_bearer text,
  constraint bank_connection_bank_cutoff_check CHECK (bank_cutoff ~ '^\d\d:\d\d$'::text),
  constraint bank_connection_countries_check CHECK (countries <> '{}'::text[]),
  constraint bank_connection_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint bank_connection_fee CHECK ((fee_bearer IS NULL) = (fee_fixed IS NULL AND fee_percent IS NULL) AND (fee_bearer IS NOT NULL OR fee_min IS NULL AND fee_max IS NULL) AND (fee_min IS NULL OR fee_max IS NULL OR fee_min <= fee_max)),
  constraint bank_connection_fee_bearer_check CHECK (fee_bearer = ANY (ARRAY['subaccount'::text, 'receiver'::text])),
  constraint bank_connection_fee_fixed_check CHECK (fee_fixed > 0),
  constraint bank_connection_fee_max_check CHECK (fee_max > 0),
  constraint bank_connection_fee_min_check CHECK (fee_min > 0),
  constraint bank_connection_fee_percent_check CHECK (fee_percent ~ '^\d{1,2}(\.\d{1,4})?$'::text),
  constraint bank_connection_file_count_max_check CHECK (file_count_max > 0),
  constraint bank_connection_file_total_max_check CHECK (file_total_max > 0),
  constraint bank_connection_freeze_at_check CHECK (freeze_at ~ '^\d\d:\d\d$'::text),
  constraint bank_connection_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint bank_connection_name_taken UNIQUE (name),
  constraint bank_connection_pkey PRIMARY KEY (id),
  constraint bank_connection_releasers_check CHECK (releasers = ANY (ARRAY[1, 2])),
  constraint bank_connection_sftp CHECK ((travels = 'sftp'::text) = (sftp_sealed IS NOT NULL)),
  constraint bank_connection_success_days_check CHECK (success_days >= 0 AND success_days <= 30),
  constraint bank_connection_success_when_check CHECK (success_when = ANY (ARRAY['days'::text, 'confirmed'::text, 'sent'::text])),
  constraint bank_connection_test_lists_subaccounts CHECK (mode = 'live'::text OR subaccount_ids IS NOT NULL),
  constraint bank_connection_travels_check CHECK (travels = ANY (ARRAY['download'::text, 'sftp'::text]))
);

create table bank_connection_request (
  id uuid not null,
  kind text not null,
  name text not null,
  fields_sealed bytea,
  before jsonb not null,
  after jsonb not null,
  settings_sha256 text not null,
  made_by text not null,
  made_at_ms bigint not null,
  status text default 'waiting'::text not null,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  constraint bank_connection_request_kind_check CHECK (kind = ANY (ARRAY['add'::text, 'change'::text, 'enable'::text])),
  constraint bank_connection_request_pkey PRIMARY KEY (id),
  constraint bank_connection_request_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX bank_connection_request_waiting ON bank_connection_request USING btree (name) WHERE (status = 'waiting'::text);

create table bank_csv_mapping (
  connection_id uuid not null,
  version integer not null,
  mapping jsonb not null,
  saved_at_ms bigint not null,
  saved_by text not null,
  constraint bank_csv_mapping_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_csv_mapping_pkey PRIMARY KEY (connection_id, version),
  constraint bank_csv_mapping_version_check CHECK (version > 0)
);

create table bank_details (
  subaccount_id uuid not null,
  account_id uuid not null,
  version integer not null,
  country text not null,
  individual_or_business text not null,
  account_number_sealed bytea not null,
  account_number_tail text not null,
  bsb text not null,
  bank_code text not null,
  bank_name text not null,
  abn text not null,
  acn text not null,
  nzbn text not null,
  created_at_ms bigint not null,
  created_by text not null,
  checking_or_savings text default ''::text not null,
  business_name text default ''::text not null,
  account_number_mark text,
  confirmed_by text default ''::text not null,
  mark_version smallint,
  constraint bank_details_checking_or_savings_check CHECK (checking_or_savings = ANY (ARRAY[''::text, 'checking'::text, 'savings'::text])),
  constraint bank_details_individual_or_business_check CHECK (individual_or_business = ANY (ARRAY['I'::text, 'B'::text])),
  constraint bank_details_pkey PRIMARY KEY (subaccount_id, account_id, version),
  constraint bank_details_subaccount_id_account_id_fkey FOREIGN KEY (subaccount_id, account_id) REFERENCES receiver_account(subaccount_id, id),
  constraint bank_details_version_check CHECK (version > 0)
);
CREATE INDEX bank_details_by_mark ON bank_details USING btree (subaccount_id, account_number_mark, account_id, version) WHERE (account_number_mark IS NOT NULL);
CREATE INDEX bank_details_by_tail ON bank_details USING btree (subaccount_id, account_number_tail, bsb, account_id) WHERE (account_number_tail <> ''::text);
CREATE INDEX bank_details_marks_due ON bank_details USING btree (subaccount_id, account_id, version) WHERE ((country = 'NZL'::text) AND (substr(account_number_tail, 2, 1) = '0'::text) AND (mark_version IS NULL) AND (account_number_mark IS NOT NULL));

create table bank_details_change (
  subaccount_id uuid not null,
  id uuid not null,
  receiver_id uuid not null,
  account_id uuid,
  account_version integer,
  proposal_sealed bytea not null,
  account_number_tail text not null,
  country text not null,
  made_by text not null,
  made_at_ms bigint not null,
  status text default 'waiting'::text not null,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  reason text default ''::text not null,
  confirmed_by text default ''::text not null,
  constraint bank_details_change_pkey PRIMARY KEY (subaccount_id, id),
  constraint bank_details_change_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text])),
  constraint bank_details_change_subaccount_id_account_id_fkey FOREIGN KEY (subaccount_id, account_id) REFERENCES receiver_account(subaccount_id, id),
  constraint bank_details_change_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);
CREATE INDEX bank_details_change_of_receiver ON bank_details_change USING btree (subaccount_id, receiver_id, id);
CREATE UNIQUE INDEX bank_details_change_one_waiting ON bank_details_change USING btree (subaccount_id, account_id) WHERE (status = 'waiting'::text);
CREATE INDEX bank_details_change_waiting ON bank_details_change USING btree (id) INCLUDE (subaccount_id) WHERE (status = 'waiting'::text);

create table bank_exception_note (
  item text not null,
  number integer not null,
  owner text not null,
  note text not null,
  at_ms bigint not null,
  who text not null,
  constraint bank_exception_note_pkey PRIMARY KEY (item, number)
);

create table bank_folder_file (
  connection_id uuid not null,
  folder text not null,
  name text not null,
  size bigint not null,
  modified_at_s bigint not null,
  since_ms bigint not null,
  status text not null,
  at_ms bigint not null,
  inbound_file_id uuid,
  code text default ''::text not null,
  message text default ''::text not null,
  constraint bank_folder_file_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_folder_file_inbound_file_id_fkey FOREIGN KEY (inbound_file_id) REFERENCES bank_inbound_file(id),
  constraint bank_folder_file_pkey PRIMARY KEY (connection_id, folder, name),
  constraint bank_folder_file_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'no_reports'::text, 'refused'::text, 'ignored'::text]))
);
CREATE INDEX bank_folder_file_refused ON bank_folder_file USING btree (connection_id, at_ms) WHERE (status = 'refused'::text);

create table bank_folder_poll (
  connection_id uuid not null,
  token uuid,
  after_ms bigint not null,
  good_at_ms bigint not null,
  problem text default ''::text not null,
  constraint bank_folder_poll_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_folder_poll_pkey PRIMARY KEY (connection_id)
);

create table bank_inbound_chunk (
  file_id uuid not null,
  number integer not null,
  sealed bytea not null,
  constraint bank_inbound_chunk_file_id_fkey FOREIGN KEY (file_id) REFERENCES bank_inbound_file(id),
  constraint bank_inbound_chunk_pkey PRIMARY KEY (file_id, number)
);

create table bank_inbound_file (
  id uuid not null,
  connection_id uuid not null,
  sha256 text not null,
  name text not null,
  format text not null,
  bytes bigint not null,
  received_at_ms bigint not null,
  received_by text not null,
  lines integer not null,
  applied integer not null,
  noted integer not null,
  suspended integer not null,
  repeated integer not null,
  confirmed_by text default ''::text not null,
  constraint bank_inbound_file_applied UNIQUE (sha256),
  constraint bank_inbound_file_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_inbound_file_pkey PRIMARY KEY (id)
);
CREATE INDEX bank_inbound_file_newest ON bank_inbound_file USING btree (connection_id, id);

create table bank_inbound_line (
  file_id uuid not null,
  number integer not null,
  line integer not null,
  connection_id uuid not null,
  item_key text,
  kind text not null,
  code text not null,
  bank_text text not null,
  reference text not null,
  day text not null,
  amount bigint,
  currency text not null,
  subaccount_id uuid,
  payout_id uuid,
  batch_id uuid,
  outcome text not null,
  detail text not null,
  source text,
  constraint bank_inbound_line_file_id_fkey FOREIGN KEY (file_id) REFERENCES bank_inbound_file(id),
  constraint bank_inbound_line_kind_check CHECK (kind = ANY (ARRAY['return'::text, 'rejection'::text, 'settled'::text, 'debited'::text, 'accepted'::text, 'change'::text, 'credit'::text, 'other'::text])) NOT VALID,
  constraint bank_inbound_line_outcome_check CHECK (outcome = ANY (ARRAY['applied'::text, 'noted'::text, 'suspended'::text, 'repeated'::text])),
  constraint bank_inbound_line_pkey PRIMARY KEY (file_id, number),
  constraint bank_inbound_line_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);
CREATE UNIQUE INDEX bank_inbound_line_item ON bank_inbound_line USING btree (connection_id, item_key) WHERE (item_key IS NOT NULL);
CREATE INDEX bank_inbound_line_of_payout ON bank_inbound_line USING btree (subaccount_id, payout_id) WHERE (payout_id IS NOT NULL);

create table bank_match (
  id uuid not null,
  connection_id uuid not null,
  line_id uuid not null,
  act_id uuid not null,
  kind text not null,
  rule text not null,
  reason text not null,
  amount bigint not null,
  batch_id uuid,
  subaccount_id uuid,
  payout_id uuid,
  transfer_id uuid,
  undoes_id uuid,
  is_undone boolean default false not null,
  made_by text not null,
  at_ms bigint not null,
  constraint bank_match_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES bank_batch(id),
  constraint bank_match_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_match_kind_check CHECK (kind = ANY (ARRAY['payout'::text, 'batch'::text, 'return'::text, 'fund'::text, 'company'::text, 'undo'::text])),
  constraint bank_match_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_statement_line(id),
  constraint bank_match_pkey PRIMARY KEY (id),
  constraint bank_match_undoes_id_fkey FOREIGN KEY (undoes_id) REFERENCES bank_match(id),
  constraint bank_match_undone_once UNIQUE (undoes_id)
);
CREATE INDEX bank_match_of_act ON bank_match USING btree (act_id);
CREATE INDEX bank_match_of_batch ON bank_match USING btree (batch_id) WHERE ((batch_id IS NOT NULL) AND (NOT is_undone));
CREATE INDEX bank_match_of_line ON bank_match USING btree (line_id);
CREATE INDEX bank_match_of_transfer ON bank_match USING btree (subaccount_id, transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX bank_match_of_whole_batch ON bank_match USING btree (batch_id) WHERE ((kind = 'batch'::text) AND (NOT is_undone));
CREATE UNIQUE INDEX bank_match_payout_once ON bank_match USING btree (subaccount_id, payout_id) WHERE ((kind = 'payout'::text) AND (NOT is_undone));

create table bank_recall (
  subaccount_id uuid not null,
  payout_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  note text not null,
  requested_at_ms bigint not null,
  requested_by text not null,
  outcome text default ''::text not null,
  outcome_note text default ''::text not null,
  decided_at_ms bigint,
  decided_by text default ''::text not null,
  constraint bank_recall_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_recall_outcome_check CHECK (outcome = ANY (ARRAY[''::text, 'accepted'::text, 'refused'::text, 'withdrawn'::text])),
  constraint bank_recall_pkey PRIMARY KEY (subaccount_id, payout_id, id),
  constraint bank_recall_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);
CREATE UNIQUE INDEX bank_recall_open ON bank_recall USING btree (subaccount_id, payout_id) WHERE (outcome = ''::text);

create table bank_request (
  id uuid not null,
  kind text not null,
  connection_id uuid not null,
  object_id text not null,
  summary jsonb not null,
  summary_sha256 text not null,
  input_sealed bytea,
  made_by text not null,
  made_at_ms bigint not null,
  status text default 'waiting'::text not null,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  reason text default ''::text not null,
  constraint bank_request_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_request_kind_check CHECK (kind = ANY (ARRAY['file'::text, 'suspense'::text, 'statement_line'::text, 'csv_mapping'::text, 'opening'::text])) NOT VALID,
  constraint bank_request_pkey PRIMARY KEY (id),
  constraint bank_request_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX bank_request_one_waiting ON bank_request USING btree (kind, object_id) WHERE (status = 'waiting'::text);
CREATE INDEX bank_request_waiting ON bank_request USING btree (id) WHERE (status = 'waiting'::text);

create table bank_request_chunk (
  request_id uuid not null,
  number integer not null,
  sealed bytea not null,
  constraint bank_request_chunk_pkey PRIMARY KEY (request_id, number),
  constraint bank_request_chunk_request_id_fkey FOREIGN KEY (request_id) REFERENCES bank_request(id)
);

create table bank_statement (
  id uuid not null,
  connection_id uuid not null,
  file_id uuid not null,
  number integer not null,
  kind text not null,
  bank_id text not null,
  sequence text not null,
  currency text not null,
  from_day text not null,
  to_day text not null,
  opening bigint,
  closing bigint,
  lines integer not null,
  repeated integer not null,
  constraint bank_statement_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_statement_file_id_fkey FOREIGN KEY (file_id) REFERENCES bank_inbound_file(id),
  constraint bank_statement_file_id_number_key UNIQUE (file_id, number),
  constraint bank_statement_kind_check CHECK (kind = ANY (ARRAY['statement'::text, 'notification'::text])),
  constraint bank_statement_pkey PRIMARY KEY (id)
);
CREATE INDEX bank_statement_in_order ON bank_statement USING btree (connection_id, to_day, id);

create table bank_statement_line (
  id uuid not null,
  connection_id uuid not null,
  statement_id uuid not null,
  number integer not null,
  day text not null,
  value_day text not null,
  amount bigint not null,
  currency text not null,
  code text not null,
  bank_reference text not null,
  reference text not null,
  bank_text text not null,
  party text not null,
  account_tail text not null,
  content_key text not null,
  occurrence integer not null,
  report_number integer,
  status text not null,
  repeats_id uuid,
  constraint bank_statement_line_amount_check CHECK (amount <> 0),
  constraint bank_statement_line_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_statement_line_occurrence_check CHECK (occurrence > 0),
  constraint bank_statement_line_once UNIQUE (connection_id, content_key, occurrence),
  constraint bank_statement_line_pkey PRIMARY KEY (id),
  constraint bank_statement_line_repeats_id_fkey FOREIGN KEY (repeats_id) REFERENCES bank_statement_line(id),
  constraint bank_statement_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id) DEFERRABLE INITIALLY DEFERRED,
  constraint bank_statement_line_status_check CHECK (status = ANY (ARRAY['open'::text, 'matched'::text, 'suspended'::text, 'noted'::text, 'doubtful'::text, 'repeated'::text])) NOT VALID
);
CREATE INDEX bank_statement_line_by_day ON bank_statement_line USING btree (connection_id, day, id);
CREATE INDEX bank_statement_line_doubtful ON bank_statement_line USING btree (connection_id, id) WHERE (status = 'doubtful'::text);
CREATE INDEX bank_statement_line_in_order ON bank_statement_line USING btree (statement_id, number);
CREATE INDEX bank_statement_line_of_payer ON bank_statement_line USING btree (connection_id, party, id) WHERE ((amount > 0) AND (party <> ''::text));
CREATE INDEX bank_statement_line_open ON bank_statement_line USING btree (connection_id, id) WHERE (status = 'open'::text);

create table bank_suspense_act (
  item_id uuid not null,
  number integer not null,
  act text not null,
  reason text not null,
  subaccount_id uuid,
  payout_id uuid,
  at_ms bigint not null,
  who text not null,
  transfer_id uuid,
  constraint bank_suspense_act_act_check CHECK (act = ANY (ARRAY['match'::text, 'split'::text, 'return'::text, 'close'::text, 'fund'::text, 'company'::text, 'undo'::text])),
  constraint bank_suspense_act_item_id_fkey FOREIGN KEY (item_id) REFERENCES bank_suspense_item(id),
  constraint bank_suspense_act_pkey PRIMARY KEY (item_id, number)
);
CREATE INDEX bank_suspense_act_of_payout ON bank_suspense_act USING btree (payout_id) WHERE (payout_id IS NOT NULL);
CREATE INDEX bank_suspense_act_of_transfer ON bank_suspense_act USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);

create table bank_suspense_item (
  id uuid not null,
  connection_id uuid not null,
  file_id uuid not null,
  number integer not null,
  parent_id uuid,
  kind text not null,
  reason text not null,
  code text not null,
  bank_text text not null,
  reference text not null,
  day text not null,
  account_tail text not null,
  amount bigint,
  currency text not null,
  is_booked boolean not null,
  subaccount_id uuid,
  payout_id uuid,
  status text not null,
  acts integer default 0 not null,
  created_at_ms bigint not null,
  constraint bank_suspense_item_amount_check CHECK (amount > 0),
  constraint bank_suspense_item_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES bank_connection(id),
  constraint bank_suspense_item_file_id_number_fkey FOREIGN KEY (file_id, number) REFERENCES bank_inbound_line(file_id, number),
  constraint bank_suspense_item_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES bank_suspense_item(id),
  constraint bank_suspense_item_pkey PRIMARY KEY (id),
  constraint bank_suspense_item_status_check CHECK (status = ANY (ARRAY['open'::text, 'matched'::text, 'split'::text, 'returned'::text, 'closed'::text, 'funded'::text, 'company'::text, 'merged'::text]))
);
CREATE INDEX bank_suspense_item_of_parent ON bank_suspense_item USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX bank_suspense_item_oldest ON bank_suspense_item USING btree (created_at_ms) WHERE (status = 'open'::text);
CREATE INDEX bank_suspense_item_open ON bank_suspense_item USING btree (connection_id, id) WHERE (status = 'open'::text);

create table change_request (
  subaccount_id uuid not null,
  id uuid not null,
  kind text not null,
  object_id text not null,
  before jsonb not null,
  after jsonb not null,
  made_by text not null,
  made_at_ms bigint not null,
  alone_at_ms bigint,
  status text default 'waiting'::text not null,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  constraint change_request_kind_check CHECK (kind = ANY (ARRAY['key'::text, 'rotation'::text, 'limits'::text, 'erasure'::text])),
  constraint change_request_pkey PRIMARY KEY (subaccount_id, id),
  constraint change_request_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX change_request_one_waiting ON change_request USING btree (subaccount_id, kind, object_id) WHERE (status = 'waiting'::text);
CREATE INDEX change_request_waiting ON change_request USING btree (id) INCLUDE (subaccount_id) WHERE (status = 'waiting'::text);

create table closed_month (
  subaccount_id uuid not null,
  currency text not null,
  month text not null,
  after_number bigint not null,
  last_number bigint not null,
  opening bigint not null,
  funded bigint not null,
  paid bigint not null,
  returned bigint not null,
  fees bigint not null,
  reversed bigint not null,
  closing bigint not null,
  available bigint not null,
  held bigint not null,
  clearing bigint not null,
  returns bigint not null,
  closed_at_ms bigint not null,
  closed_by text not null,
  constraint closed_month_check CHECK (last_number >= after_number),
  constraint closed_month_check1 CHECK (closing = (opening + funded - paid + returned - fees - reversed)),
  constraint closed_month_check2 CHECK (closing = (available + held + clearing + returns)),
  constraint closed_month_month_check CHECK (month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text),
  constraint closed_month_pkey PRIMARY KEY (subaccount_id, currency, month)
);

create table console_user (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean default true not null,
  image text,
  role text not null,
  subaccount_id uuid,
  disabled_at timestamp with time zone,
  logged_in_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint person_developer_has_one_subaccount CHECK ((role = 'developer'::text) = (subaccount_id IS NOT NULL)),
  constraint person_email_check CHECK (email = lower(email)),
  constraint person_pkey PRIMARY KEY (id),
  constraint person_role_check CHECK (role = ANY (ARRAY['admin'::text, 'operator'::text, 'approver'::text, 'finance'::text, 'developer'::text, 'auditor'::text, 'compliance'::text])),
  constraint person_subaccount_id_fkey FOREIGN KEY (subaccount_id) REFERENCES subaccount(id),
  constraint user_email_taken UNIQUE (email)
);

create table data_key (
  id text not null,
  wrapped text not null,
  state text not null,
  is_original boolean default false not null,
  generation bigint not null,
  created_at timestamp with time zone default now() not null,
  emptied_at timestamp with time zone,
  values_left bigint,
  constraint data_key_generation_check CHECK (generation > 0),
  constraint data_key_id_check CHECK (id ~ '^[0-9a-f]{8}$'::text),
  constraint data_key_pkey PRIMARY KEY (id),
  constraint data_key_state_check CHECK (state = ANY (ARRAY['announced'::text, 'current'::text, 'old'::text]))
);
CREATE UNIQUE INDEX data_key_announced ON data_key USING btree (state) WHERE (state = 'announced'::text);
CREATE UNIQUE INDEX data_key_current ON data_key USING btree (state) WHERE (state = 'current'::text);
CREATE UNIQUE INDEX data_key_original ON data_key USING btree (is_original) WHERE is_original;

create table delivery (
  subaccount_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  order_key uuid not null,
  since_ms bigint not null,
  due_at_ms bigint default 0 not null,
  attempts integer default 0 not null,
  constraint delivery_pkey PRIMARY KEY (subaccount_id, number)
);
CREATE INDEX delivery_stuck ON delivery USING btree (subaccount_id, order_key, number) WHERE (attempts > 0);

create table delivery_abandoned (
  subaccount_id uuid not null,
  event_id uuid not null,
  attempts integer not null,
  abandoned_at_ms bigint not null,
  constraint delivery_at_rest_pkey PRIMARY KEY (subaccount_id, event_id)
);

create table delivery_attempt (
  subaccount_id uuid not null,
  event_id uuid not null,
  id uuid not null,
  number integer not null,
  status integer,
  failure text,
  detail text not null,
  took_ms integer not null,
  answer text not null,
  endpoint_id uuid,
  constraint delivery_attempt_pkey PRIMARY KEY (subaccount_id, event_id, id)
) partition by RANGE (id);
CREATE INDEX delivery_attempt_by_time ON delivery_attempt USING btree (subaccount_id, id);

create table delivery_rollup (
  subaccount_id uuid not null,
  span_ms integer not null,
  start_ms bigint not null,
  ok bigint not null,
  retried bigint not null,
  failed bigint not null,
  took integer[] not null,
  constraint delivery_tally_pkey PRIMARY KEY (subaccount_id, span_ms, start_ms),
  constraint delivery_tally_span_ms_check CHECK (span_ms = ANY (ARRAY[900000, 3600000]))
);

create table delivery_rollup_cursor (
  subaccount_id uuid not null,
  before_id uuid not null,
  constraint delivery_tally_cursor_pkey PRIMARY KEY (subaccount_id)
);

create table delivery_worker (
  number integer not null,
  started_at timestamp with time zone default now() not null,
  constraint delivery_worker_pkey PRIMARY KEY (number)
);

create table deposit_reference (
  subaccount_id uuid not null,
  currency text not null,
  reference text not null,
  created_at_ms bigint not null,
  constraint deposit_reference_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint deposit_reference_pkey PRIMARY KEY (subaccount_id, currency),
  constraint deposit_reference_reference_check CHECK (reference ~ '^[0-9A-HJKMNP-TV-Z]{10}$'::text),
  constraint deposit_reference_subaccount_id_fkey FOREIGN KEY (subaccount_id) REFERENCES subaccount(id),
  constraint deposit_reference_taken UNIQUE (reference)
);

create table erasure (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  erased_at_ms bigint not null,
  erased_by text not null,
  email_hash text not null,
  constraint erasure_pkey PRIMARY KEY (subaccount_id, receiver_id)
);

create table event (
  subaccount_id uuid not null,
  id uuid not null,
  number bigint default nextval('event_number'::regclass) not null,
  order_key uuid not null,
  type text not null,
  body text not null,
  created_at_ms bigint not null,
  wanted boolean default false not null,
  receiver_id uuid generated always as (
CASE
    WHEN strpos(body, '"receiver_id":"'::text) > 0 THEN substr(body, strpos(body, '"receiver_id":"'::text) + 15, 36)::uuid
    ELSE NULL::uuid
END) stored,
  traceparent text,
  constraint event_pkey PRIMARY KEY (subaccount_id, id)
) partition by RANGE (id);
CREATE INDEX event_in_order ON event USING btree (subaccount_id, order_key, number);
CREATE INDEX event_of_receiver ON event USING btree (subaccount_id, receiver_id, id);

create table event_fan_out (
  subaccount_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  order_key uuid not null,
  type text not null,
  since_ms bigint not null,
  constraint event_fan_out_pkey PRIMARY KEY (subaccount_id, number)
);

create table event_recovery (
  subaccount_id uuid not null,
  id uuid not null,
  since_ms bigint not null,
  until_ms bigint not null,
  with_delivered boolean not null,
  who text not null,
  after_id uuid not null,
  recovered bigint default 0 not null,
  advanced_at_ms bigint default 0 not null,
  done_at_ms bigint,
  cancelled_by text,
  with_unsent boolean default true not null,
  constraint event_recovery_pkey PRIMARY KEY (subaccount_id, id)
);
CREATE INDEX event_recovery_under_way ON event_recovery USING btree (id) WHERE (done_at_ms IS NULL);

create table event_resend (
  subaccount_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  who text not null,
  constraint event_resend_pkey PRIMARY KEY (subaccount_id, id)
);

create table file_import (
  subaccount_id uuid not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  rows integer not null,
  created integer default 0 not null,
  already_imported integer default 0 not null,
  refused integer default 0 not null,
  who text not null,
  retry_of uuid,
  updated_at_ms bigint not null,
  ended_at_ms bigint,
  constraint file_import_kind_check CHECK (kind = ANY (ARRAY['payouts'::text, 'receivers'::text, 'accounts'::text, 'retry'::text])),
  constraint file_import_pkey PRIMARY KEY (subaccount_id, id)
);

create table file_import_refusal (
  subaccount_id uuid not null,
  import_id uuid not null,
  number integer not null,
  code text not null,
  receiver_id uuid,
  account_id uuid,
  amount bigint,
  currency text,
  reference text default ''::text not null,
  note text default ''::text not null,
  send_on text default ''::text not null,
  statement_reference text default ''::text not null,
  purpose text default ''::text not null,
  allow_duplicate boolean default false not null,
  is_waiting boolean default false not null,
  change_id uuid,
  equal_before integer default 0 not null,
  constraint file_import_refusal_pkey PRIMARY KEY (subaccount_id, import_id, number)
);
CREATE INDEX file_import_refusal_of_receiver ON file_import_refusal USING btree (subaccount_id, receiver_id);

create table further_delivery (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  order_key uuid not null,
  since_ms bigint not null,
  due_at_ms bigint default 0 not null,
  attempts integer default 0 not null,
  constraint further_delivery_pkey PRIMARY KEY (subaccount_id, endpoint_id, number)
);
CREATE INDEX further_delivery_stuck ON further_delivery USING btree (subaccount_id, endpoint_id, order_key, number) WHERE (attempts > 0);

create table further_delivery_abandoned (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  attempts integer not null,
  abandoned_at_ms bigint not null,
  constraint further_delivery_abandoned_pkey PRIMARY KEY (subaccount_id, endpoint_id, event_id)
);

create table further_endpoint (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  description text default ''::text not null,
  event_types text[] not null,
  format text not null,
  headers_sealed bytea,
  header_names text[] default '{}'::text[] not null,
  created_at_ms bigint not null,
  owner integer,
  epoch bigint default 0 not null,
  lease_until_ms bigint default 0 not null,
  open_until_ms bigint default 0 not null,
  backoff_level integer default 0 not null,
  failure_score integer default 0 not null,
  failing_since_ms bigint,
  failing_reported smallint default 0 not null,
  secret_unreadable_since_ms bigint,
  disabled_at_ms bigint,
  paused_by text,
  disable_after_days smallint not null,
  disabled_because text,
  untold text,
  constraint further_endpoint_disable_after_days_check CHECK (disable_after_days >= 1 AND disable_after_days <= 7),
  constraint further_endpoint_disabled_because_check CHECK (disabled_because = ANY (ARRAY['gone'::text, 'failing'::text, 'secret'::text])),
  constraint further_endpoint_format_check CHECK (format = ANY (ARRAY['full'::text, 'thin'::text])),
  constraint further_endpoint_pkey PRIMARY KEY (subaccount_id, endpoint_id)
);
CREATE INDEX further_endpoint_untold ON further_endpoint USING btree (subaccount_id) WHERE (untold IS NOT NULL);

create table further_endpoint_secret (
  subaccount_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  constraint further_endpoint_secret_pkey PRIMARY KEY (subaccount_id, endpoint_id, id)
);

create table further_recovery (
  subaccount_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  since_ms bigint not null,
  until_ms bigint not null,
  with_delivered boolean not null,
  who text not null,
  after_id uuid not null,
  recovered bigint default 0 not null,
  advanced_at_ms bigint default 0 not null,
  done_at_ms bigint,
  constraint further_recovery_pkey PRIMARY KEY (subaccount_id, id)
);
CREATE INDEX further_recovery_under_way ON further_recovery USING btree (id) WHERE (done_at_ms IS NULL);

create table idempotency_key (
  subaccount_id uuid not null,
  key text not null,
  request_id uuid not null,
  request_hash text not null,
  answer text not null,
  expires_at_ms bigint not null,
  constraint idempotency_key_pkey PRIMARY KEY (subaccount_id, key)
);
CREATE INDEX idempotency_key_expiry ON idempotency_key USING brin (expires_at_ms);

create table import_mapping (
  subaccount_id uuid not null,
  kind text not null,
  columns jsonb not null,
  fixed jsonb not null,
  saved_by text not null,
  saved_at_ms bigint not null,
  constraint import_mapping_kind_check CHECK (kind = ANY (ARRAY['payouts'::text, 'receivers'::text, 'accounts'::text])),
  constraint import_mapping_pkey PRIMARY KEY (subaccount_id, kind)
);

create table installation (
  only_row boolean default true not null,
  merchant_id uuid not null,
  master_key_check bytea not null,
  keys_version bigint default 0 not null,
  finance_may_approve boolean default false not null,
  finance_asked_by text,
  cell text default ''::text not null,
  quarantined_at timestamp with time zone,
  quarantine_reason text,
  person_keys text default 'current'::text,
  person_keys_generation bigint default 0 not null,
  finance_asked_at_ms bigint,
  constraint installation_cell_check CHECK (cell ~ '^[a-z0-9]{0,8}$'::text),
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_person_keys_check CHECK (person_keys = ANY (ARRAY['announced'::text, 'current'::text])),
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_quarantine_check CHECK ((quarantined_at IS NULL) = (quarantine_reason IS NULL)),
  constraint installation_quarantine_reason_check CHECK (quarantine_reason = ANY (ARRAY['restored'::text, 'moving'::text, 'moved'::text]))
);

create table invitation (
  token_hash bytea not null,
  user_id uuid,
  made_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  first_admin_id uuid,
  constraint invitation_first_admin_id_fkey FOREIGN KEY (first_admin_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint invitation_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint invitation_person_id_key UNIQUE (user_id),
  constraint invitation_pkey PRIMARY KEY (token_hash)
);
CREATE UNIQUE INDEX invitation_for_set_up ON invitation USING btree (made_by) WHERE (user_id IS NULL);

create table kyc_report (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  event_id text not null,
  provider text not null,
  occurred_at_ms bigint not null,
  received_at_ms bigint not null,
  outcome text not null,
  labels text[] not null,
  public_comment text not null,
  private_comment text not null,
  constraint kyc_report_outcome_check CHECK (outcome = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'retry'::text, 'on_hold'::text])),
  constraint kyc_report_pkey PRIMARY KEY (subaccount_id, receiver_id, event_id),
  constraint kyc_report_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);
CREATE INDEX kyc_report_of_people ON kyc_report USING btree (event_id COLLATE "C") WHERE (provider = 'operator'::text);

create table ledger_balance (
  subaccount_id uuid not null,
  currency text not null,
  available bigint default 0 not null,
  held bigint default 0 not null,
  clearing bigint default 0 not null,
  returns bigint default 0 not null,
  fees bigint default 0 not null,
  bank bigint default 0 not null,
  transfers bigint default 0 not null,
  day text default ''::text not null,
  day_total bigint default 0 not null,
  company bigint default 0 not null,
  constraint ledger_available_not_below_zero CHECK (available >= 0),
  constraint ledger_balance_clearing_check CHECK (clearing >= 0),
  constraint ledger_balance_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint ledger_balance_fees_check CHECK (fees >= 0),
  constraint ledger_balance_held_check CHECK (held >= 0),
  constraint ledger_balance_pkey PRIMARY KEY (subaccount_id, currency),
  constraint ledger_balance_returns_check CHECK (returns >= 0),
  constraint ledger_balanced CHECK ((available + held + clearing + returns + fees + company) = bank)
);

create table ledger_day (
  subaccount_id uuid not null,
  currency text not null,
  day_ms bigint not null,
  last_number bigint not null,
  available bigint not null,
  held bigint not null,
  clearing bigint not null,
  returns bigint not null,
  fees bigint not null,
  constraint ledger_day_pkey PRIMARY KEY (subaccount_id, currency, day_ms)
);

create table ledger_day_kind (
  subaccount_id uuid not null,
  currency text not null,
  day_ms bigint not null,
  kind text not null,
  transfers bigint not null,
  amount bigint not null,
  constraint ledger_day_kind_pkey PRIMARY KEY (subaccount_id, currency, day_ms, kind)
);

create table ledger_transfer (
  subaccount_id uuid not null,
  currency text not null,
  number bigint not null,
  id uuid not null,
  debit text not null,
  credit text not null,
  amount bigint not null,
  kind text not null,
  payout_id uuid,
  reverses_id uuid,
  reference text not null,
  available_after bigint not null,
  held_after bigint not null,
  created_at_ms bigint not null,
  created_by text not null,
  constraint ledger_transfer_amount_check CHECK (amount > 0),
  constraint ledger_transfer_check CHECK (credit <> debit),
  constraint ledger_transfer_number_check CHECK (number > 0),
  constraint ledger_transfer_pkey PRIMARY KEY (subaccount_id, currency, number),
  constraint ledger_transfer_subaccount_id_id_key UNIQUE (subaccount_id, id)
);
CREATE UNIQUE INDEX ledger_funded_once ON ledger_transfer USING btree (subaccount_id, currency, reference) WHERE (kind = 'fund'::text);
CREATE UNIQUE INDEX ledger_reversed_once ON ledger_transfer USING btree (subaccount_id, reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE INDEX ledger_transfer_into_bank ON ledger_transfer USING btree (debit, created_at_ms) WHERE (debit ~~ 'bank:%'::text);
CREATE INDEX ledger_transfer_of_payout ON ledger_transfer USING btree (subaccount_id, payout_id) WHERE (payout_id IS NOT NULL);
CREATE INDEX ledger_transfer_out_of_bank ON ledger_transfer USING btree (credit, created_at_ms) WHERE (credit ~~ 'bank:%'::text);

create table login_failure (
  source text not null,
  failures integer not null,
  since timestamp with time zone not null,
  constraint login_failure_pkey PRIMARY KEY (source)
);
CREATE INDEX login_failure_since ON login_failure USING btree (since);

create table login_request (
  id uuid not null,
  device_hash bytea not null,
  code_hash bytea not null,
  client text not null,
  ip_address text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  user_id uuid,
  declined_at timestamp with time zone,
  constraint login_request_code_key UNIQUE (code_hash),
  constraint login_request_device_key UNIQUE (device_hash),
  constraint login_request_pkey PRIMARY KEY (id),
  constraint login_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE
);
CREATE INDEX login_request_expiry ON login_request USING btree (expires_at);

create table metadata_entry (
  subaccount_id uuid not null,
  hash bytea not null,
  object_id uuid not null,
  constraint metadata_entry_pkey PRIMARY KEY (subaccount_id, hash, object_id)
);
CREATE INDEX metadata_entry_of_object ON metadata_entry USING btree (subaccount_id, object_id);

create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  version text,
  constraint migration_pkey PRIMARY KEY (name)
);

create table operator_answer (
  token_id uuid not null,
  key text not null,
  request_hash text not null,
  request_id uuid not null,
  claimed_at_ms bigint not null,
  is_done boolean default false not null,
  answer bytea,
  expires_at_ms bigint not null,
  constraint operator_answer_pkey PRIMARY KEY (token_id, key)
);
CREATE INDEX operator_answer_expiry ON operator_answer USING brin (expires_at_ms);

create table operator_token (
  id uuid not null,
  name text not null,
  secret_hash bytea not null,
  user_id uuid not null,
  role text not null,
  subaccount_ids uuid[],
  addresses text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  awaiting_approval boolean not null,
  approved_by text default ''::text not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint operator_token_name_key UNIQUE (name),
  constraint operator_token_pkey PRIMARY KEY (id),
  constraint operator_token_secret_key UNIQUE (secret_hash),
  constraint operator_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE
);
CREATE INDEX operator_token_waiting ON operator_token USING btree (created_at) WHERE (awaiting_approval AND (revoked_at IS NULL));

create table payee_name_check (
  subaccount_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  version integer not null,
  mode text not null,
  outcome text,
  checked_at_ms bigint,
  attempts integer default 0 not null,
  due_at_ms bigint,
  constraint payee_name_check_check CHECK ((outcome IS NULL) = (checked_at_ms IS NULL)),
  constraint payee_name_check_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint payee_name_check_outcome_check CHECK (outcome = ANY (ARRAY['match'::text, 'close_match'::text, 'no_match'::text, 'unavailable'::text])),
  constraint payee_name_check_pkey PRIMARY KEY (subaccount_id, id),
  constraint payee_name_check_subaccount_id_account_id_version_fkey FOREIGN KEY (subaccount_id, account_id, version) REFERENCES bank_details(subaccount_id, account_id, version),
  constraint payee_name_check_subaccount_id_account_id_version_key UNIQUE (subaccount_id, account_id, version)
);
CREATE INDEX payee_name_check_due ON payee_name_check USING btree (mode, subaccount_id, due_at_ms) WHERE (due_at_ms IS NOT NULL);

create table payout (
  subaccount_id uuid not null,
  id uuid not null,
  batch_id uuid,
  receiver_id uuid not null,
  account_id uuid not null,
  account_version integer not null,
  amount bigint not null,
  currency text not null,
  reference text not null,
  note text not null,
  status text not null,
  stage text not null,
  cause text not null,
  cause_code text not null,
  rail text not null,
  provider_reference text not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  created_by text not null,
  due_at_ms bigint,
  attempts integer default 0 not null,
  history_entries integer default 1 not null,
  send_on text default ''::text not null,
  statement_reference text default ''::text not null,
  process_date text default ''::text not null,
  expected_arrival text default ''::text not null,
  bank_batch_id uuid,
  purpose text default ''::text not null,
  fee bigint,
  sent_amount bigint,
  metadata json,
  constraint payout_amount_check CHECK (amount > 0),
  constraint payout_fee CHECK (fee > 0) NOT VALID,
  constraint payout_pkey PRIMARY KEY (subaccount_id, id),
  constraint payout_sent_amount CHECK (sent_amount IS NULL OR fee IS NOT NULL AND sent_amount > 0 AND sent_amount = (amount - fee)) NOT VALID,
  constraint payout_stage_check CHECK (stage = ANY (ARRAY['on_hold'::text, 'awaiting_approval'::text, 'queued'::text, 'batched'::text, 'submitted'::text, 'settled'::text, 'rejected'::text, 'cancelled'::text, 'returned'::text])) NOT VALID,
  constraint payout_status_check CHECK (status = ANY (ARRAY['pending'::text, 'successful'::text, 'failed'::text])),
  constraint payout_subaccount_id_account_id_account_version_fkey FOREIGN KEY (subaccount_id, account_id, account_version) REFERENCES bank_details(subaccount_id, account_id, version)
);
CREATE INDEX payout_awaiting ON payout USING btree (id) INCLUDE (subaccount_id) WHERE (stage = 'awaiting_approval'::text);
CREATE INDEX payout_awaiting_alone ON payout USING btree (id) INCLUDE (subaccount_id) WHERE ((stage = 'awaiting_approval'::text) AND (batch_id IS NULL));
CREATE INDEX payout_awaiting_alone_of_subaccount ON payout USING btree (subaccount_id, id) WHERE ((stage = 'awaiting_approval'::text) AND (batch_id IS NULL));
CREATE INDEX payout_awaiting_in_batch ON payout USING btree (batch_id, subaccount_id) WHERE ((stage = 'awaiting_approval'::text) AND (batch_id IS NOT NULL));
CREATE INDEX payout_awaiting_in_batch_of_subaccount ON payout USING btree (subaccount_id, batch_id) INCLUDE (currency, amount) WHERE ((stage = 'awaiting_approval'::text) AND (batch_id IS NOT NULL));
CREATE INDEX payout_by_cause_code ON payout USING btree (subaccount_id, lower(cause_code) COLLATE "C", id) WHERE (cause_code <> ''::text);
CREATE INDEX payout_by_person ON payout USING btree (subaccount_id, created_by, id) WHERE (created_by ~~ 'operator:%'::text);
CREATE INDEX payout_by_reference ON payout USING btree (subaccount_id, reference, account_id, amount, id);
CREATE INDEX payout_by_stage ON payout USING btree (subaccount_id, currency, stage, id);
CREATE INDEX payout_due_of_subaccount ON payout USING btree (rail, subaccount_id, due_at_ms) WHERE (due_at_ms IS NOT NULL);
CREATE INDEX payout_of_account ON payout USING btree (subaccount_id, account_id, id);
CREATE INDEX payout_of_batch ON payout USING btree (subaccount_id, batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX payout_paid ON payout USING btree (subaccount_id, account_id, account_version) WHERE (status = 'successful'::text);
CREATE INDEX payout_to_freeze ON payout USING btree (rail, subaccount_id, id) WHERE ((stage = 'queued'::text) AND (process_date <> ''::text));
CREATE INDEX payout_under_way ON payout USING btree (subaccount_id, account_id) WHERE (status = 'pending'::text);

create table payout_approval (
  subaccount_id uuid not null,
  payout_id uuid not null,
  who text not null,
  role text not null,
  at_ms bigint not null,
  constraint payout_approval_pkey PRIMARY KEY (subaccount_id, payout_id, who),
  constraint payout_approval_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_approval_reason (
  subaccount_id uuid not null,
  payout_id uuid not null,
  rule text not null,
  above bigint,
  constraint payout_approval_reason_pkey PRIMARY KEY (subaccount_id, payout_id, rule),
  constraint payout_approval_reason_rule_check CHECK (rule = ANY (ARRAY['payout'::text, 'batch'::text, 'receiver_day'::text, 'account_day'::text, 'bank_details'::text, 'new_account'::text])) NOT VALID,
  constraint payout_approval_reason_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_batch (
  subaccount_id uuid not null,
  id uuid not null,
  metadata json,
  payouts integer,
  pending integer,
  failed integer,
  constraint payout_batch_pkey PRIMARY KEY (subaccount_id, id)
);

create table payout_count (
  subaccount_id uuid not null,
  currency text not null,
  subject_id uuid not null,
  epoch bigint not null,
  at_ms bigint not null,
  number bigint not null,
  total numeric not null,
  constraint payout_count_pkey PRIMARY KEY (subaccount_id, currency, subject_id, epoch, at_ms, number) INCLUDE (total)
);

create table payout_count_fill (
  subaccount_id uuid not null,
  currency text not null,
  epoch bigint not null,
  up_to_number bigint not null,
  constraint payout_count_fill_pkey PRIMARY KEY (subaccount_id, currency, epoch)
);

create table payout_day_total (
  subaccount_id uuid not null,
  currency text not null,
  day text not null,
  subject text not null,
  total numeric not null,
  generation integer not null,
  constraint payout_day_total_pkey PRIMARY KEY (subaccount_id, currency, day, subject)
);
CREATE INDEX payout_day_total_by_day ON payout_day_total USING btree (((day || ''::text)));

create table payout_failure_rollup (
  subaccount_id uuid not null,
  span_ms integer not null,
  start_ms bigint not null,
  currency text not null,
  cause text not null,
  cause_code text not null,
  failed bigint not null,
  failed_amount bigint not null,
  constraint payout_cause_tally_pkey PRIMARY KEY (subaccount_id, span_ms, start_ms, currency, cause),
  constraint payout_cause_tally_span_ms_check CHECK (span_ms = ANY (ARRAY[900000, 3600000]))
);

create table payout_history (
  subaccount_id uuid not null,
  payout_id uuid not null,
  id uuid not null,
  at_ms bigint not null,
  who text not null,
  from_status text not null,
  to_status text not null,
  from_stage text not null,
  to_stage text not null,
  reason text not null,
  number integer default 0 not null,
  constraint payout_history_pkey PRIMARY KEY (subaccount_id, payout_id, id),
  constraint payout_history_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);
CREATE TRIGGER number_payout_history BEFORE INSERT ON payout_history FOR EACH ROW WHEN (new.number = 0) EXECUTE FUNCTION number_payout_history();

create table payout_hold (
  subaccount_id uuid not null,
  payout_id uuid not null,
  id uuid not null,
  since_ms bigint not null,
  held_by text not null,
  reasons jsonb not null,
  decision text,
  decided_by text,
  decided_at_ms bigint,
  decided_why text default ''::text not null,
  constraint payout_hold_check CHECK ((decision IS NULL) = (decided_by IS NULL) AND (decision IS NULL) = (decided_at_ms IS NULL)),
  constraint payout_hold_decision_check CHECK (decision = ANY (ARRAY['released'::text, 'refused'::text, 'cancelled'::text, 'expired'::text])),
  constraint payout_hold_pkey PRIMARY KEY (subaccount_id, payout_id, id),
  constraint payout_hold_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);
CREATE INDEX payout_hold_decided ON payout_hold USING btree (decided_at_ms, id) WHERE (decision = ANY (ARRAY['released'::text, 'refused'::text]));
CREATE UNIQUE INDEX payout_hold_one_open ON payout_hold USING btree (subaccount_id, payout_id) WHERE (decision IS NULL);
CREATE INDEX payout_hold_open ON payout_hold USING btree (since_ms, payout_id) INCLUDE (subaccount_id) WHERE (decision IS NULL);

create table payout_limit (
  subaccount_id uuid not null,
  currency text not null,
  per_payout_max bigint,
  per_day_max bigint,
  approval_above bigint,
  batch_approval_above bigint,
  receiver_day_approval_above bigint,
  account_day_approval_above bigint default '-1'::integer,
  constraint payout_limit_account_day_approval_above_check CHECK (account_day_approval_above >= '-1'::integer),
  constraint payout_limit_approval_above_check CHECK (approval_above >= 0),
  constraint payout_limit_batch_approval_above_check CHECK (batch_approval_above >= 0),
  constraint payout_limit_per_day_max_check CHECK (per_day_max > 0),
  constraint payout_limit_per_payout_max_check CHECK (per_payout_max > 0),
  constraint payout_limit_pkey PRIMARY KEY (subaccount_id, currency),
  constraint payout_limit_receiver_day_approval_above_check CHECK (receiver_day_approval_above >= 0)
);

create table payout_resolution (
  subaccount_id uuid not null,
  payout_id uuid not null,
  outcome text not null,
  reason text not null,
  proposed_by text not null,
  proposed_at_ms bigint not null,
  constraint payout_resolution_outcome_check CHECK (outcome = ANY (ARRAY['paid'::text, 'rejected'::text])),
  constraint payout_resolution_pkey PRIMARY KEY (subaccount_id, payout_id),
  constraint payout_resolution_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_retry (
  subaccount_id uuid not null,
  retry_of uuid not null,
  payout_id uuid not null,
  constraint payout_retry_pkey PRIMARY KEY (subaccount_id, retry_of),
  constraint payout_retry_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_rollup (
  subaccount_id uuid not null,
  span_ms integer not null,
  start_ms bigint not null,
  currency text not null,
  created bigint not null,
  created_amount bigint not null,
  paid bigint not null,
  paid_amount bigint not null,
  returned bigint not null,
  returned_amount bigint not null,
  failed bigint not null,
  failed_amount bigint not null,
  took integer[] not null,
  "out" bigint not null,
  out_amount bigint not null,
  constraint payout_tally_pkey PRIMARY KEY (subaccount_id, span_ms, start_ms, currency),
  constraint payout_tally_span_ms_check CHECK (span_ms = ANY (ARRAY[900000, 3600000]))
);

create table payout_rule_match (
  subaccount_id uuid not null,
  payout_id uuid not null,
  rule_id text not null,
  version bigint not null,
  name text not null,
  act text not null,
  approvals integer,
  role text,
  figures jsonb not null,
  constraint payout_rule_match_act_check CHECK (act = ANY (ARRAY['hold'::text, 'second_person'::text, 'approvals'::text])),
  constraint payout_rule_match_approvals_check CHECK (approvals > 0),
  constraint payout_rule_match_pkey PRIMARY KEY (subaccount_id, payout_id, rule_id),
  constraint payout_rule_match_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_rule_set (
  version bigint generated always as identity not null,
  base_version bigint,
  rules jsonb not null,
  hash text not null,
  epochs jsonb default '{}'::jsonb not null,
  status text not null,
  note text default ''::text not null,
  made_by text not null,
  made_at_ms bigint not null,
  decided_by text,
  decided_at_ms bigint,
  decided_why text default ''::text not null,
  constraint payout_rule_set_pkey PRIMARY KEY (version),
  constraint payout_rule_set_status_check CHECK (status = ANY (ARRAY['proposed'::text, 'active'::text, 'replaced'::text, 'declined'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX payout_rule_set_active ON payout_rule_set USING btree (status) WHERE (status = 'active'::text);

create table payout_set_aside (
  subaccount_id uuid not null,
  payout_id uuid not null,
  since_ms bigint not null,
  reason text not null,
  constraint payout_set_aside_pkey PRIMARY KEY (subaccount_id, payout_id),
  constraint payout_set_aside_subaccount_id_payout_id_fkey FOREIGN KEY (subaccount_id, payout_id) REFERENCES payout(subaccount_id, id)
);

create table payout_word (
  subaccount_id uuid not null,
  word text collate "C" not null,
  payout_id uuid not null,
  constraint payout_word_pkey PRIMARY KEY (subaccount_id, word, payout_id)
);
CREATE INDEX payout_word_of_payout ON payout_word USING btree (subaccount_id, payout_id);

create table receipt_logo (
  subaccount_id uuid not null,
  media_type text not null,
  bytes bytea not null,
  set_by text not null,
  set_at_ms bigint not null,
  constraint receipt_logo_media_type_check CHECK (media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])),
  constraint receipt_logo_pkey PRIMARY KEY (subaccount_id),
  constraint receipt_logo_subaccount_id_fkey FOREIGN KEY (subaccount_id) REFERENCES subaccount(id)
);

create table receiver (
  subaccount_id uuid not null,
  id uuid not null,
  first_name text not null,
  last_name text not null,
  middle_name text not null,
  email text not null,
  email_key text not null,
  gender text not null,
  dob text not null,
  dialcode text not null,
  phone text not null,
  address text not null,
  address2 text not null,
  city text not null,
  state text not null,
  postcode text not null,
  country text not null,
  reference text not null,
  applicant_id text not null,
  status text not null,
  kyc_status text not null,
  created_at_ms bigint not null,
  created_by text default ''::text not null,
  kyc_provider text default 'manual'::text not null,
  kyc_step text,
  kyc_due_at_ms bigint,
  kyc_attempts integer default 0 not null,
  kyc_reported_at_ms bigint default 0 not null,
  kyc_needs_review boolean default false not null,
  history_entries integer default 1 not null,
  erased_at_ms bigint,
  person_key bytea,
  person_sealed bytea,
  metadata json,
  constraint receiver_email_taken UNIQUE (subaccount_id, email_key),
  constraint receiver_kyc_status_check CHECK (kyc_status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])),
  constraint receiver_kyc_step_check CHECK (kyc_step = ANY (ARRAY['create'::text, 'restart'::text, 'ask'::text])),
  constraint receiver_kyc_step_is_due CHECK ((kyc_step IS NULL) = (kyc_due_at_ms IS NULL)),
  constraint receiver_pkey PRIMARY KEY (subaccount_id, id),
  constraint receiver_status_check CHECK (status = ANY (ARRAY['creating'::text, 'pending'::text, 'active'::text, 'inactive'::text, 'failed'::text]))
);
CREATE INDEX receiver_by_applicant ON receiver USING btree (kyc_provider, applicant_id) WHERE ((kyc_provider <> ALL (ARRAY['manual'::text, 'sandbox'::text])) AND (applicant_id <> ''::text));
CREATE INDEX receiver_by_name ON receiver USING btree (subaccount_id, lower(last_name) COLLATE "C", dob, id);
CREATE INDEX receiver_by_phone ON receiver USING btree (subaccount_id, phone, dialcode);
CREATE INDEX receiver_by_reference ON receiver USING btree (subaccount_id, reference, id) WHERE (reference <> ''::text);
CREATE INDEX receiver_by_state ON receiver USING btree (subaccount_id, status, kyc_status, id);
CREATE INDEX receiver_kyc_due_of_subaccount ON receiver USING btree (kyc_provider, subaccount_id, kyc_due_at_ms) WHERE (kyc_due_at_ms IS NOT NULL);
CREATE INDEX receiver_to_review ON receiver USING btree (GREATEST(created_at_ms, kyc_reported_at_ms), subaccount_id, id) WHERE (((kyc_status = 'pending'::text) AND (kyc_step IS NULL)) OR kyc_needs_review);

create table receiver_account (
  subaccount_id uuid not null,
  id uuid not null,
  receiver_id uuid not null,
  aka text default ''::text not null,
  occupation text default ''::text not null,
  reference text default ''::text not null,
  home_dialcode text default ''::text not null,
  home_phone text default ''::text not null,
  address text default ''::text not null,
  address2 text default ''::text not null,
  city text default ''::text not null,
  state text default ''::text not null,
  country text default ''::text not null,
  postcode text default ''::text not null,
  receiver_accepted boolean default false not null,
  receiver_address_accepted boolean default false not null,
  receiver_address_outcome text,
  created_at_ms bigint not null,
  version integer default 1 not null,
  status text default 'active'::text not null,
  contact_sealed bytea,
  metadata json,
  constraint receiver_account_pkey PRIMARY KEY (subaccount_id, id),
  constraint receiver_account_status_check CHECK (status = ANY (ARRAY['active'::text, 'inactive'::text])),
  constraint receiver_account_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);
CREATE INDEX receiver_account_of_receiver ON receiver_account USING btree (subaccount_id, receiver_id, id);

create table receiver_history (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  id uuid not null,
  at_ms bigint not null,
  who text not null,
  from_status text not null,
  to_status text not null,
  from_kyc_status text not null,
  to_kyc_status text not null,
  reason text not null,
  number integer default 0 not null,
  constraint receiver_history_pkey PRIMARY KEY (subaccount_id, receiver_id, id),
  constraint receiver_history_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);
CREATE TRIGGER number_receiver_history BEFORE INSERT ON receiver_history FOR EACH ROW WHEN (new.number = 0) EXECUTE FUNCTION number_receiver_history();

create table receiver_word (
  subaccount_id uuid not null,
  word text collate "C" not null,
  receiver_id uuid not null,
  constraint receiver_word_pkey PRIMARY KEY (subaccount_id, word, receiver_id)
);
CREATE INDEX receiver_word_of_receiver ON receiver_word USING btree (subaccount_id, receiver_id);

create table request_log (
  subaccount_id uuid not null,
  id uuid not null,
  object_id uuid,
  took_us integer not null,
  status smallint not null,
  key text not null,
  method text not null,
  route text not null,
  ip text,
  agent text,
  query text,
  codes text,
  detail text,
  constraint request_log_pkey PRIMARY KEY (subaccount_id, id)
) partition by RANGE (id);
CREATE INDEX request_log_failed ON request_log USING btree (subaccount_id, id) WHERE (status >= 400);

create table request_shape (
  id integer generated always as identity not null,
  fields text not null,
  constraint request_shape_fields_key UNIQUE (fields),
  constraint request_shape_pkey PRIMARY KEY (id)
);

create table retention_progress (
  subaccount_id uuid not null,
  place text not null,
  after_key text not null,
  later uuid[] default '{}'::uuid[] not null,
  constraint retention_progress_pkey PRIMARY KEY (subaccount_id, place)
);

create table review_assignment (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  user_id text not null,
  who text not null,
  until_ms bigint not null,
  constraint review_assignment_pkey PRIMARY KEY (subaccount_id, receiver_id),
  constraint review_assignment_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);
CREATE INDEX review_assignment_of_person ON review_assignment USING btree (user_id);

create table review_note (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  id uuid not null,
  kind text not null,
  object_id uuid not null,
  audience text not null,
  who text not null,
  at_ms bigint not null,
  note text not null,
  constraint review_note_audience_check CHECK (audience = ANY (ARRAY['subaccount'::text, 'reviewers'::text])),
  constraint review_note_kind_check CHECK (kind = ANY (ARRAY['hit'::text, 'hold'::text])),
  constraint review_note_pkey PRIMARY KEY (subaccount_id, receiver_id, id),
  constraint review_note_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);

create table review_vote (
  subaccount_id uuid not null,
  receiver_id uuid not null,
  user_id text not null,
  who text not null,
  version text not null,
  at_ms bigint not null,
  constraint review_vote_pkey PRIMARY KEY (subaccount_id, receiver_id, user_id),
  constraint review_vote_subaccount_id_receiver_id_fkey FOREIGN KEY (subaccount_id, receiver_id) REFERENCES receiver(subaccount_id, id)
);

create table rollup_cursor (
  subaccount_id uuid not null,
  currency text not null,
  number bigint default 0 not null,
  latest_ms bigint default 0 not null,
  in_flight bigint default 0 not null,
  available bigint default 0 not null,
  held bigint default 0 not null,
  clearing bigint default 0 not null,
  returns bigint default 0 not null,
  fees bigint default 0 not null,
  constraint tally_cursor_pkey PRIMARY KEY (subaccount_id, currency)
);

create table screening_entry (
  list text not null,
  key text not null,
  from_set bigint not null,
  to_set bigint,
  hash text not null,
  entry jsonb not null,
  constraint screening_entry_check CHECK (to_set > from_set),
  constraint screening_entry_from_set_fkey FOREIGN KEY (from_set) REFERENCES screening_set(id),
  constraint screening_entry_pkey PRIMARY KEY (list, key, from_set),
  constraint screening_entry_to_set_fkey FOREIGN KEY (to_set) REFERENCES screening_set(id)
);
CREATE UNIQUE INDEX screening_entry_current ON screening_entry USING btree (list, key) WHERE (to_set IS NULL);
CREATE INDEX screening_entry_from_set ON screening_entry USING btree (from_set);
CREATE INDEX screening_entry_to_set ON screening_entry USING btree (to_set) WHERE (to_set IS NOT NULL);

create table screening_hit (
  subaccount_id uuid not null,
  id uuid not null,
  subject_kind text not null,
  subject_id uuid not null,
  receiver_id uuid not null,
  list text not null,
  entry_key text not null,
  entry_hash text not null,
  subject_hash text not null,
  score double precision not null,
  explanation jsonb not null,
  status text default 'open'::text not null,
  opened_at_ms bigint not null,
  same_by text default ''::text not null,
  same_at_ms bigint,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  reason text default ''::text not null,
  constraint screening_hit_once UNIQUE (subaccount_id, subject_kind, subject_id, list, entry_key, entry_hash, subject_hash),
  constraint screening_hit_pkey PRIMARY KEY (subaccount_id, id),
  constraint screening_hit_score_check CHECK (score >= 0::double precision AND score <= 1::double precision),
  constraint screening_hit_status_check CHECK (status = ANY (ARRAY['open'::text, 'same'::text, 'different'::text, 'ended'::text])),
  constraint screening_hit_subject_kind_check CHECK (subject_kind = ANY (ARRAY['receiver'::text, 'account'::text]))
);
CREATE INDEX screening_hit_decided ON screening_hit USING btree (decided_at_ms, id) WHERE (status = ANY (ARRAY['same'::text, 'different'::text]));
CREATE INDEX screening_hit_of_receiver ON screening_hit USING btree (subaccount_id, receiver_id) WHERE (status = ANY (ARRAY['open'::text, 'same'::text]));
CREATE INDEX screening_hit_open ON screening_hit USING btree (opened_at_ms, subaccount_id, id) WHERE (status = 'open'::text);

create table screening_list_version (
  id uuid not null,
  list text not null,
  hash text not null,
  reader integer not null,
  published_day text not null,
  entries integer not null,
  names integer not null,
  added integer not null,
  changed integer not null,
  removed integer not null,
  status text not null,
  made_by text not null,
  at_ms bigint not null,
  decided_by text default ''::text not null,
  decided_at_ms bigint,
  set_id bigint,
  first_approved_by text default ''::text not null,
  first_approved_at_ms bigint,
  constraint screening_list_version_pkey PRIMARY KEY (id),
  constraint screening_list_version_set_id_fkey FOREIGN KEY (set_id) REFERENCES screening_set(id),
  constraint screening_list_version_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'active'::text, 'declined'::text, 'replaced'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX screening_list_version_active ON screening_list_version USING btree (list) WHERE (status = 'active'::text);
CREATE INDEX screening_list_version_of_hash ON screening_list_version USING btree (list, hash);
CREATE UNIQUE INDEX screening_list_version_waiting ON screening_list_version USING btree (list) WHERE (status = 'waiting'::text);

create table screening_record (
  subaccount_id uuid not null,
  subject_kind text not null,
  subject_id uuid not null,
  set_id bigint not null,
  screened_at_ms bigint not null,
  constraint screening_record_pkey PRIMARY KEY (subaccount_id, subject_kind, subject_id),
  constraint screening_record_subject_kind_check CHECK (subject_kind = ANY (ARRAY['receiver'::text, 'account'::text]))
);
CREATE INDEX screening_record_of_set ON screening_record USING btree (set_id, subaccount_id, subject_kind, subject_id);

create table screening_set (
  id bigint generated always as identity not null,
  versions jsonb not null,
  at_ms bigint not null,
  constraint screening_set_pkey PRIMARY KEY (id)
);

create table screening_waiting_entry (
  version_id uuid not null,
  key text not null,
  hash text not null,
  entry jsonb not null,
  constraint screening_waiting_entry_pkey PRIMARY KEY (version_id, key),
  constraint screening_waiting_entry_version_id_fkey FOREIGN KEY (version_id) REFERENCES screening_list_version(id)
);

create table screening_walk (
  subaccount_id uuid not null,
  subject_kind text not null,
  after_id uuid not null,
  constraint screening_walk_pkey PRIMARY KEY (subaccount_id, subject_kind),
  constraint screening_walk_subject_kind_check CHECK (subject_kind = ANY (ARRAY['receiver'::text, 'account'::text]))
);

create table search_progress (
  subaccount_id uuid not null,
  receivers_from uuid not null,
  receivers_to uuid not null,
  payouts_from uuid not null,
  payouts_to uuid not null,
  constraint search_progress_pkey PRIMARY KEY (subaccount_id)
);

create table subaccount (
  id uuid not null,
  mode text not null,
  suba_name text not null,
  title text default ''::text not null,
  first_name text default ''::text not null,
  last_name text default ''::text not null,
  email text default ''::text not null,
  dob text default ''::text not null,
  kassi_status text default 'ACCEPTED'::text not null,
  business_name text default ''::text not null,
  business_or_individual text default 'B'::text not null,
  support_email text default ''::text not null,
  mobile_dialcode text default ''::text not null,
  mobile text default ''::text not null,
  home_dialcode text default ''::text not null,
  home_telephone text default ''::text not null,
  address text default ''::text not null,
  suburb text default ''::text not null,
  state text default ''::text not null,
  country text default ''::text not null,
  postcode text default ''::text not null,
  has_passed_kyc text default 'N/A'::text not null,
  kyc_status text default 'pending'::text not null,
  sms_provider text default ''::text not null,
  email_provider text default ''::text not null,
  created_at_ms bigint not null,
  closed_at timestamp with time zone,
  statement_name text default ''::text not null,
  needs_second_user boolean default true not null,
  event_metadata boolean default false not null,
  balance_levels jsonb default '{}'::jsonb not null,
  constraint subaccount_business_or_individual_check CHECK (business_or_individual = ANY (ARRAY['B'::text, 'I'::text])),
  constraint subaccount_kyc_status_check CHECK (kyc_status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])),
  constraint subaccount_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint subaccount_pkey PRIMARY KEY (id)
);
CREATE INDEX subaccount_by_name ON subaccount USING btree (lower(suba_name) COLLATE "C", id);
CREATE INDEX subaccount_open ON subaccount USING btree (id) WHERE (closed_at IS NULL);

create table subaccount_move (
  subaccount_id uuid not null,
  id uuid not null,
  side text not null,
  step text not null,
  other_cell text not null,
  work_stops_until_ms bigint default 0 not null,
  writes_stop_until_ms bigint default 0 not null,
  has_moved boolean default false not null,
  started_at_ms bigint not null,
  changed_at_ms bigint not null,
  facts jsonb default '{}'::jsonb not null,
  constraint subaccount_move_pkey PRIMARY KEY (subaccount_id),
  constraint subaccount_move_side_check CHECK (side = ANY (ARRAY['source'::text, 'target'::text]))
);

create table subaccount_move_marker (
  subaccount_id uuid not null,
  number bigint not null,
  constraint subaccount_move_marker_pkey PRIMARY KEY (subaccount_id)
);

create table subaccount_word (
  subaccount_id uuid not null,
  word text collate "C" not null,
  constraint subaccount_word_pkey PRIMARY KEY (subaccount_id, word)
);
CREATE INDEX subaccount_word_by_word ON subaccount_word USING btree (word, subaccount_id);

create table user_credential (
  id uuid not null,
  user_id uuid not null,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint person_credential_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint person_credential_pkey PRIMARY KEY (id),
  constraint person_credential_taken UNIQUE (provider_id, account_id)
);
CREATE INDEX person_credential_of_person ON user_credential USING btree (user_id);
CREATE UNIQUE INDEX person_credential_one_oidc ON user_credential USING btree (user_id) WHERE (provider_id = 'oidc'::text);

create table user_passkey (
  id uuid not null,
  user_id uuid not null,
  name text,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamp with time zone,
  constraint person_passkey_credential_id_key UNIQUE (credential_id),
  constraint person_passkey_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint person_passkey_pkey PRIMARY KEY (id)
);
CREATE INDEX person_passkey_of_person ON user_passkey USING btree (user_id);

create table user_session (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  seen_at timestamp with time zone default now() not null,
  proven_at timestamp with time zone default now() not null,
  client text,
  constraint person_session_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint person_session_pkey PRIMARY KEY (id),
  constraint person_session_token_key UNIQUE (token)
);
CREATE INDEX person_session_expiry ON user_session USING btree (expires_at);
CREATE INDEX person_session_of_person ON user_session USING btree (user_id);

create table user_subaccount (
  subaccount_id uuid not null,
  user_id uuid not null,
  constraint person_subaccount_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint person_subaccount_pkey PRIMARY KEY (subaccount_id, user_id),
  constraint person_subaccount_subaccount_id_fkey FOREIGN KEY (subaccount_id) REFERENCES subaccount(id)
);
CREATE INDEX person_subaccount_of_person ON user_subaccount USING btree (user_id);

create table user_verification (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint person_verification_pkey PRIMARY KEY (id)
);
CREATE INDEX person_verification_expiry ON user_verification USING btree (expires_at);
CREATE INDEX person_verification_identifier ON user_verification USING btree (identifier);

create table user_view (
  user_id uuid not null,
  list text not null,
  name text not null,
  search jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint user_view_pkey PRIMARY KEY (user_id, list, name),
  constraint user_view_user_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE
);

create table user_vouch (
  user_id uuid not null,
  voucher text not null,
  at_ms bigint not null,
  confirmed_by text default ''::text not null,
  confirmed_at_ms bigint,
  constraint person_vouch_person_id_fkey FOREIGN KEY (user_id) REFERENCES console_user(id) ON DELETE CASCADE,
  constraint person_vouch_pkey PRIMARY KEY (user_id, voucher)
);
CREATE INDEX user_vouch_unconfirmed ON user_vouch USING btree (voucher) WHERE (confirmed_at_ms IS NULL);

create table webhook_endpoint (
  subaccount_id uuid not null,
  url text default ''::text not null,
  owner integer,
  epoch bigint default 0 not null,
  lease_until_ms bigint default 0 not null,
  open_until_ms bigint default 0 not null,
  backoff_level integer default 0 not null,
  failure_score integer default 0 not null,
  failing_since_ms bigint,
  failing_reported smallint default 0 not null,
  disabled_at_ms bigint,
  paused_by text,
  event_types text[] default '{}'::text[] not null,
  secret_unreadable_since_ms bigint,
  further_types text[] default '{}'::text[] not null,
  description text default ''::text not null,
  headers_sealed bytea,
  header_names text[] default '{}'::text[] not null,
  disable_after_days smallint,
  disabled_because text,
  untold text,
  constraint endpoint_pkey PRIMARY KEY (subaccount_id),
  constraint webhook_endpoint_disable_after_days_check CHECK (disable_after_days >= 1 AND disable_after_days <= 7),
  constraint webhook_endpoint_disabled_because_check CHECK (disabled_because = ANY (ARRAY['gone'::text, 'failing'::text, 'secret'::text]))
);
CREATE INDEX webhook_endpoint_untold ON webhook_endpoint USING btree (subaccount_id) WHERE (untold IS NOT NULL);

create table webhook_endpoint_secret (
  subaccount_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  constraint endpoint_secret_pkey PRIMARY KEY (subaccount_id, id)
);
