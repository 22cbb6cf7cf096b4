-- The schema of 0.1.0.
--
-- Every table with data of a subaccount has subaccount_id first in its key, so that rows of one subaccount lie together and
-- the tables can be distributed by it. The small tables that are read before a subaccount is known (installation,
-- subaccount, api_key, api_secret) are shared by all, and so is what belongs to the installation.
--
-- Some names of constraints and indexes begin with person_, endpoint_ or delivery_at_rest_, or contain _tally_: they are
-- older than the names of the tables. Constraints that are "not valid" are checked for every new row.

-- The service works under a role of its own, which gets rights on each table below. Where we may not create roles, the
-- owner of the tables gives up rights itself.
do $$
begin
  if not exists (select from pg_roles where rolname = 'disburse_service') then
    create role disburse_service nologin;
  end if;
  execute format('grant disburse_service to %I', current_user);
  grant usage on schema public to disburse_service;
  grant select on migration to disburse_service;
  alter default privileges in schema public grant select, insert, update, delete on tables to disburse_service;
exception
  when insufficient_privilege then null;
end $$;

-- === Functions

-- The first id of a moment: ids begin with the milliseconds at which they were made. Tables that only grow are
-- partitioned by it, so that old rows go by dropping a table instead of deleting rows.
create function first_id_of(ms bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || '00000000000000000000')::uuid $$;

-- The millisecond at which an id was made: the reverse of first_id_of.
create function ms_of_id(id uuid) returns bigint language sql immutable parallel safe as
  $$ select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint $$;

-- A statement that calls it is undone as a whole. The SQLSTATE is our own, so that it is never taken for a failure.
create function undo_statement() returns int language plpgsql as $$
begin
  raise exception 'undone on purpose' using errcode = 'UN001';
end $$;

-- Creates the partitions of the next days and drops those that are too old. The service's role may do neither, so it runs
-- as the owner of the tables.
create function keep_partitions_of(parent text, days int, kept_days int) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
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
end $$;

create function fill_subaccount_of_key() returns trigger language plpgsql as $$
begin
  new.subaccount_id := (select k.subaccount_id from api_key k where k.key = new.key);
  return new;
end $$;

-- A row without a number gets it here.
create function number_receiver_history() returns trigger language plpgsql as $$
begin
  update receiver set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.receiver_id
  returning history_entries into new.number;
  return new;
end $$;

create function number_payout_history() returns trigger language plpgsql as $$
begin
  update payout set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.payout_id
  returning history_entries into new.number;
  return new;
end $$;

-- A trigger of each table calls it for the rows of a subaccount that moves, and only while it does. Arguments: the
-- subaccount, and `expires` for tables from which the cleanup deletes. The freeze takes the same lock exclusively, so it
-- waits for transactions that have written, and later ones see it.
create function refuse_moving_rows() returns trigger language plpgsql as $$
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
end $$;

create sequence event_number;

-- === The installation

create table installation (
  only_row               boolean     default true primary key check (only_row),
  merchant_id            uuid        not null,
  -- A sealed constant: a wrong master key is noticed at the start, not in the middle of a payout.
  master_key_check       bytea       not null,
  -- Grows with every change of a key. Processes compare it to know whether their cache still holds.
  keys_version           bigint      not null default 0,
  -- Two admins may let the role finance approve payouts and bank details.
  finance_may_approve    boolean     not null default false,
  finance_asked_by       text,
  -- The cell that this database belongs to. New API keys carry its name; the default cell has none.
  cell                   text        not null default '' check (cell ~ '^[a-z0-9]{0,8}$'),
  -- A restored copy, or one that was moved to another database, delivers and pays nothing until it is released.
  quarantined_at         timestamptz,
  quarantine_reason      text        check (quarantine_reason in ('restored', 'moving', 'moved')),
  -- Not used, like the next one: every receiver has a key of its own.
  person_keys            text        default 'current' check (person_keys in ('announced', 'current')),
  person_keys_generation bigint      not null default 0,
  finance_asked_at_ms    bigint,
  constraint installation_quarantine_check check ((quarantined_at is null) = (quarantine_reason is null))
);

create table data_key (
  id          text        primary key check (id ~ '^[0-9a-f]{8}$'),
  -- As the key service returned it, with its prefix: `local:…` or `vault:…`.
  wrapped     text        not null,
  state       text        not null check (state in ('announced', 'current', 'old')),
  -- The key of values without a key id, and of all derived secrets.
  is_original boolean     not null default false,
  -- Rises with each change that processes must load. They hold a lock of the generation that they have loaded.
  generation  bigint      not null check (generation > 0),
  created_at  timestamptz not null default now(),
  -- When no value under this old key was found any more.
  emptied_at  timestamptz,
  -- Of the current key: values under old keys that the rotation has still to encrypt again.
  values_left bigint
);
create unique index data_key_current on data_key (state) where state = 'current';
create unique index data_key_announced on data_key (state) where state = 'announced';
create unique index data_key_original on data_key (is_original) where is_original;

-- Append only, as the books are.
create table audit_entry (
  -- Counts up without a gap, under the lock of the head.
  number         bigint primary key check (number > 0),
  -- Never before that of the entry before, so that walking the numbers is walking the times.
  at_ms          bigint not null,
  who            text   not null,
  action         text   not null,
  object_kind    text   not null,
  object_id      text   not null,
  -- Null where it concerns no single subaccount.
  subaccount_id  uuid,
  before         jsonb  not null,
  after          jsonb  not null,
  ip             text   not null,
  request_id     text   not null,
  -- Keyed, over every field and the hash of the entry before: with the database alone nobody can make one.
  previous_hash  text   not null,
  hash           text   not null,
  -- An entry keeps its hash when its content is removed. The mark proves that the service removed it.
  redaction_mark text
);
create index audit_entry_by_who on audit_entry (who, number);
create index audit_entry_by_action on audit_entry (action, number);
create index audit_entry_of_object on audit_entry (object_id, number);
create index audit_entry_of_subaccount on audit_entry (subaccount_id, number);
create index audit_entry_by_time on audit_entry (at_ms);

-- The end of the chain. A transaction that adds to it locks this row first. Its mark is keyed too, and is replaced with
-- each entry, so that a chain that was cut off is noticed.
create table audit_head (
  is_only boolean default true primary key check (is_only),
  number  bigint  not null,
  at_ms   bigint  not null,
  hash    text    not null,
  mark    text    not null
);

-- What the last verification of the chain found, marked with our key.
create table audit_verified (
  is_only        boolean default true primary key check (is_only),
  verified_at_ms bigint  not null,
  number         bigint  not null,
  fault          text    not null,
  mark           text    not null,
  hash           text    not null default ''
);

-- How far retention has gone through old rows. Rows of the installation itself have the subaccount of zeros.
create table retention_progress (
  subaccount_id uuid   not null,
  place         text   not null,
  -- The last row, by its id or number.
  after_key     text   not null,
  -- Rows before it that were too young: a payout that changed later.
  later         uuid[] not null default '{}',
  primary key (subaccount_id, place)
);

-- Which rows have their search words: those with ids from the first one on, and below the second one. Words of subaccounts
-- themselves have the subaccount of zeros.
create table search_progress (
  subaccount_id  uuid not null,
  receivers_from uuid not null,
  receivers_to   uuid not null,
  payouts_from   uuid not null,
  payouts_to     uuid not null,
  primary key (subaccount_id)
);

-- === Who calls

create table subaccount (
  id                     uuid        primary key,
  mode                   text        not null check (mode in ('test', 'live')),
  suba_name              text        not null,
  title                  text        not null default '',
  first_name             text        not null default '',
  last_name              text        not null default '',
  email                  text        not null default '',
  dob                    text        not null default '',
  kassi_status           text        not null default 'ACCEPTED',
  business_name          text        not null default '',
  business_or_individual text        not null default 'B' check (business_or_individual in ('B', 'I')),
  support_email          text        not null default '',
  mobile_dialcode        text        not null default '',
  mobile                 text        not null default '',
  home_dialcode          text        not null default '',
  home_telephone         text        not null default '',
  address                text        not null default '',
  suburb                 text        not null default '',
  state                  text        not null default '',
  country                text        not null default '',
  postcode               text        not null default '',
  has_passed_kyc         text        not null default 'N/A',
  kyc_status             text        not null default 'pending' check (kyc_status in ('pending', 'completed', 'failed')),
  sms_provider           text        not null default '',
  email_provider         text        not null default '',
  created_at_ms          bigint      not null,
  closed_at              timestamptz,
  -- The payer's name that receivers see. Empty: the name of the bank connection.
  statement_name         text        not null default ''
);
-- The console finds one of many subaccounts by the beginning of its name, and the first open one.
create index subaccount_by_name on subaccount ((lower(suba_name) collate "C"), id);
create index subaccount_open on subaccount (id) where closed_at is null;

-- The console finds receivers, payouts and subaccounts by the start of any of their words. Words are written when a user
-- searches, and by the console's process in the background: creating a receiver or a payout writes none.
create table subaccount_word (
  subaccount_id uuid not null,
  word          text collate "C" not null,
  primary key (subaccount_id, word)
);
create index subaccount_word_by_word on subaccount_word (word, subaccount_id);

-- What a payer writes on a transfer, so that the bank's statement says whose balance it funds.
create table deposit_reference (
  subaccount_id uuid   not null references subaccount,
  currency      text   not null check (currency ~ '^[A-Z]{3}$'),
  reference     text   not null constraint deposit_reference_taken unique check (reference ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  created_at_ms bigint not null,
  primary key (subaccount_id, currency)
);

create table api_key (
  key               text        primary key,
  subaccount_id     uuid        not null references subaccount,
  name              text        not null,
  scopes            text[]      not null
                                check (scopes <@ array['read', 'write', 'payout', 'bank_details'] and scopes <> '{}'),
  addresses         text[]      not null default '{}',
  version2_only     boolean     not null default false,
  created_at        timestamptz not null default now(),
  expires_at        timestamptz,
  revoked_at        timestamptz,
  -- Such a key is not accepted yet.
  awaiting_approval boolean     not null default false
);
create index api_key_of_subaccount on api_key (subaccount_id);
-- Replication with a filter on subaccount_id needs the column in the identity of each row.
create unique index api_key_identity on api_key (subaccount_id, key);
alter table api_key replica identity using index api_key_identity;

create table api_secret (
  key               text        not null references api_key,
  id                uuid        not null,
  sealed            bytea       not null,
  created_at        timestamptz not null default now(),
  -- Set by a rotation: the end of the grace.
  expires_at        timestamptz,
  last_used_at      timestamptz,
  subaccount_id     uuid        not null,
  -- Such a secret is not accepted yet. Until it is approved, its expires_at is in the past.
  awaiting_approval boolean     not null default false,
  primary key (key, id)
);
create unique index api_secret_identity on api_secret (subaccount_id, key, id);
alter table api_secret replica identity using index api_secret_identity;
create trigger fill_subaccount_of_key before insert on api_secret
  for each row when (new.subaccount_id is null) execute function fill_subaccount_of_key();

-- Who has seen a secret of a key can't approve what the key made.
create table api_secret_seen (
  key           text        not null references api_key,
  who           text        not null,
  seen_at       timestamptz not null default now(),
  subaccount_id uuid        not null,
  primary key (key, who)
);
create unique index api_secret_seen_identity on api_secret_seen (subaccount_id, key, who);
alter table api_secret_seen replica identity using index api_secret_seen_identity;
create trigger fill_subaccount_of_key before insert on api_secret_seen
  for each row when (new.subaccount_id is null) execute function fill_subaccount_of_key();

create table api_nonce (
  subaccount_id uuid   not null,
  key           text   not null,
  nonce         text   not null,
  request_id    uuid   not null,
  expires_at_ms bigint not null,
  primary key (subaccount_id, key, nonce)
);
create index api_nonce_expiry on api_nonce (expires_at_ms);

-- Responses to requests with an Idempotency-Key. They are sent again when the request is repeated.
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

-- The id is that of the request, and says when it came. Written by COPY, many at a time. The row of a successful read is
-- as small as possible, because there are more of them than of all others together.
create table request_log (
  subaccount_id uuid     not null,
  id            uuid     not null,
  -- The object in the path or, for a create, the new one.
  object_id     uuid,
  took_us       int      not null,
  status        smallint not null,
  key           text     not null,
  method        text     not null,
  -- The pattern of the path. Empty: there is no such route.
  route         text     not null,
  ip            text,
  agent         text,
  -- The redacted query; without a route, the whole address.
  query         text,
  -- The codes of the refusal, separated by spaces.
  codes         text,
  -- JSON: the redacted body, and why a signature failed. Only for writes and failures.
  detail        text,
  primary key (subaccount_id, id)
) partition by range (id);
-- Failures are few and often searched for: finding them must not read all successful requests.
create index request_log_failed on request_log (subaccount_id, id) where status >= 400;
create table request_log_default partition of request_log default;

-- Bodies of one kind have the same fields. Their names are stored once, and a row of the request log has the number of its
-- shape and the values. It belongs to no subaccount: the names are those of the interface.
create table request_shape (
  id     int  generated always as identity primary key,
  fields text not null unique
);

-- A key to activate, a secret to rotate, limits to loosen, or a receiver to erase: each is decided by a second user.
create table change_request (
  subaccount_id uuid   not null,
  -- A UUID of version 7 that was made with made_at_ms.
  id            uuid   not null,
  kind          text   not null check (kind in ('key', 'rotation', 'limits', 'erasure')),
  -- The key, or the currency.
  object_id     text   not null,
  -- Fields with their values before and after, as users see them.
  before        jsonb  not null,
  after         jsonb  not null,
  made_by       text   not null,
  made_at_ms    bigint not null,
  -- Not used: it said from when on the user who asked could apply it alone.
  alone_at_ms   bigint,
  status        text   not null default 'waiting'
                       check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired')),
  decided_by    text   not null default '',
  decided_at_ms bigint,
  primary key (subaccount_id, id)
);
create index change_request_waiting on change_request (id) include (subaccount_id) where status = 'waiting';
create unique index change_request_one_waiting on change_request (subaccount_id, kind, object_id)
  where status = 'waiting';

-- === Who works here

create table console_user (
  id             uuid        constraint person_pkey primary key,
  name           text        not null,
  -- In lower case, so that an email is taken once.
  email          text        not null constraint user_email_taken unique constraint person_email_check
                             check (email = lower(email)),
  -- The admin who invites a user vouches for the email.
  email_verified boolean     not null default true,
  image          text,
  role           text        not null constraint person_role_check
                             check (role in ('admin', 'operator', 'approver', 'finance', 'developer', 'auditor')),
  subaccount_id  uuid        constraint person_subaccount_id_fkey references subaccount,
  disabled_at    timestamptz,
  -- The last time. Null: invited, and never signed in.
  logged_in_at   timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint person_developer_has_one_subaccount check ((role = 'developer') = (subaccount_id is not null))
);

create table user_session (
  id         uuid        constraint person_session_pkey primary key,
  user_id    uuid        not null constraint person_session_person_id_fkey references console_user on delete cascade,
  -- The cookie has it with a signature that needs the master key: the row alone opens nothing.
  token      text        not null constraint person_session_token_key unique,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  seen_at    timestamptz not null default now(),
  -- The last re-authentication.
  proven_at  timestamptz not null default now()
);
create index person_session_of_person on user_session (user_id);
create index person_session_expiry on user_session (expires_at);

-- A password's hash, or an account at the company's identity provider.
create table user_credential (
  id                       uuid        constraint person_credential_pkey primary key,
  user_id                  uuid        not null constraint person_credential_person_id_fkey
                                       references console_user on delete cascade,
  provider_id              text        not null,
  account_id               text        not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  constraint person_credential_taken unique (provider_id, account_id)
);
create index person_credential_of_person on user_credential (user_id);
-- A user signs in by one identity of the company's provider.
create unique index person_credential_one_oidc on user_credential (user_id) where provider_id = 'oidc';

create table user_passkey (
  id            uuid        constraint person_passkey_pkey primary key,
  user_id       uuid        not null constraint person_passkey_person_id_fkey references console_user on delete cascade,
  name          text,
  credential_id text        not null constraint person_passkey_credential_id_key unique,
  public_key    text        not null,
  counter       bigint      not null,
  device_type   text        not null,
  backed_up     boolean     not null,
  transports    text,
  aaguid        text,
  created_at    timestamptz
);
create index person_passkey_of_person on user_passkey (user_id);

-- Challenges that wait for their response.
create table user_verification (
  id         uuid        constraint person_verification_pkey primary key,
  identifier text        not null,
  value      text        not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index person_verification_identifier on user_verification (identifier);
create index person_verification_expiry on user_verification (expires_at);

-- The subaccounts of a developer. console_user.subaccount_id is the first of them; rows of another first one are ignored.
create table user_subaccount (
  subaccount_id uuid not null constraint person_subaccount_subaccount_id_fkey references subaccount,
  user_id       uuid not null constraint person_subaccount_person_id_fkey references console_user on delete cascade,
  constraint person_subaccount_pkey primary key (subaccount_id, user_id)
);
create index person_subaccount_of_person on user_subaccount (user_id);

-- The admin who invited a user, reset the sign-in or changed the role at the console, and when last. The two count as one
-- person until another admin confirms the user.
create table user_vouch (
  user_id         uuid   not null constraint person_vouch_person_id_fkey references console_user on delete cascade,
  voucher         text   not null,
  at_ms           bigint not null,
  confirmed_by    text   not null default '',
  confirmed_at_ms bigint,
  constraint person_vouch_pkey primary key (user_id, voucher)
);
-- A payout to a new account looks for users who count as an admin that was disabled: they are found by the admin.
create index user_vouch_unconfirmed on user_vouch (voucher) where confirmed_at_ms is null;

-- Views that users save of the console's lists: filters, sort and columns.
create table user_view (
  user_id    uuid        not null references console_user on delete cascade,
  list       text        not null,
  name       text        not null,
  -- The parameters of the list's address, by name. None of them holds words of a person.
  search     jsonb       not null,
  created_at timestamptz not null default now(),
  primary key (user_id, list, name)
);

-- A link with which a user chooses a password, once. Only a hash of the link is stored.
create table invitation (
  token_hash bytea       primary key,
  -- Null: the set-up link for the first admin. There is one at most.
  user_id    uuid        constraint invitation_person_id_key unique
                         constraint invitation_person_id_fkey references console_user on delete cascade,
  made_by    text        not null,
  created_at timestamptz not null default now(),
  -- Null: until it is used.
  expires_at timestamptz
);
create unique index invitation_for_set_up on invitation ((true)) where user_id is null;

-- Failed sign-ins by IP address and by email, so that guessing is slow in all processes together. Only a keyed hash of
-- either is stored.
create table login_failure (
  source   text        primary key,
  failures int         not null,
  since    timestamptz not null
);
create index login_failure_since on login_failure (since);

-- === Receivers and their accounts

create table receiver (
  subaccount_id      uuid    not null,
  -- A UUID of version 7 that was made with created_at_ms, so that ordering by id is ordering by age.
  id                 uuid    not null,
  first_name         text    not null,
  last_name          text    not null,
  middle_name        text    not null,
  email              text    not null,
  email_key          text    not null,
  gender             text    not null,
  dob                text    not null,
  dialcode           text    not null,
  phone              text    not null,
  address            text    not null,
  address2           text    not null,
  city               text    not null,
  state              text    not null,
  postcode           text    not null,
  country            text    not null,
  reference          text    not null,
  applicant_id       text    not null,
  status             text    not null check (status in ('creating', 'pending', 'active', 'inactive', 'failed')),
  kyc_status         text    not null check (kyc_status in ('pending', 'completed', 'failed')),
  created_at_ms      bigint  not null,
  -- Who made it: key:<api key>, operator:<name>.
  created_by         text    not null default '',
  kyc_provider       text    not null default 'manual',
  -- What the worker does next, and when. It moves the time ahead first, which is its lease: if it dies, the step becomes
  -- due again.
  kyc_step           text    check (kyc_step in ('create', 'restart', 'ask')),
  kyc_due_at_ms      bigint,
  kyc_attempts       int     not null default 0,
  -- Reports about an earlier time don't count.
  kyc_reported_at_ms bigint  not null default 0,
  -- The identity check asks for a user: it put the case on hold, or approves a receiver that it had finally rejected.
  kyc_needs_review   boolean not null default false,
  -- The creation is entry 1 and has no row of its own.
  history_entries    int     not null default 1,
  erased_at_ms       bigint,
  -- The key, encrypted with a data key. Null: the receiver is erased.
  person_key         bytea,
  -- Date of birth, phone and address. The columns of the address are empty, and `dob` and `phone` hold the short hashes by
  -- which possible duplicates are found.
  person_sealed      bytea,
  primary key (subaccount_id, id),
  constraint receiver_email_taken unique (subaccount_id, email_key),
  constraint receiver_kyc_step_is_due check ((kyc_step is null) = (kyc_due_at_ms is null))
);
-- Serves every filter: a page reads one short range per pair of states and merges them.
create index receiver_by_state on receiver (subaccount_id, status, kyc_status, id);
create index receiver_by_reference on receiver (subaccount_id, reference, id) where reference <> '';
-- A provider's report names only the applicant.
create index receiver_by_applicant on receiver (kyc_provider, applicant_id)
  where kyc_provider not in ('manual', 'sandbox') and applicant_id <> '';
-- The review queue over all subaccounts, oldest first: open checks without a next step, and those that ask for a user.
create index receiver_to_review on receiver ((greatest(created_at_ms, kyc_reported_at_ms)), subaccount_id, id)
  where (kyc_status = 'pending' and kyc_step is null) or kyc_needs_review;
-- Possible duplicates, and a name by its beginning; byte by byte, so that a beginning is one range.
create index receiver_by_name on receiver (subaccount_id, (lower(last_name) collate "C"), dob, id);
create index receiver_by_phone on receiver (subaccount_id, phone, dialcode);
create index receiver_kyc_due_of_subaccount on receiver (kyc_provider, subaccount_id, kyc_due_at_ms)
  where kyc_due_at_ms is not null;

-- Its first entry, the creation, is the receiver's own row.
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
  -- Numbered under the lock of the receiver, so that the order doesn't depend on clocks. 0: a trigger gives the number.
  number          int    not null default 0,
  primary key (subaccount_id, receiver_id, id),
  foreign key (subaccount_id, receiver_id) references receiver
);
create trigger number_receiver_history before insert on receiver_history
  for each row when (new.number = 0) execute function number_receiver_history();

create table receiver_word (
  subaccount_id uuid not null,
  -- Without accents, in lower case.
  word          text collate "C" not null,
  receiver_id   uuid not null,
  primary key (subaccount_id, word, receiver_id)
);
-- For a change and for erasure.
create index receiver_word_of_receiver on receiver_word (subaccount_id, receiver_id);

-- Reports of identity checks and operators, each once, also where nothing changed.
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
-- Decisions of users, newest last: the ids of such reports grow with time.
create index kyc_report_of_people on kyc_report (event_id collate "C") where provider = 'operator';

-- Who works on a case, for a while.
create table review_assignment (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  user_id       text   not null,
  -- As histories name the user.
  who           text   not null,
  until_ms      bigint not null,
  primary key (subaccount_id, receiver_id),
  foreign key (subaccount_id, receiver_id) references receiver
);
create index review_assignment_of_person on review_assignment (user_id);

-- The first of two approvals. It counts only while the case is unchanged.
create table review_vote (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  user_id       text   not null,
  who           text   not null,
  version       text   not null,
  at_ms         bigint not null,
  primary key (subaccount_id, receiver_id, user_id),
  foreign key (subaccount_id, receiver_id) references receiver
);

-- What reviewers asked about hits and held payouts.
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

-- The journal of erasures: a restored backup has erased receivers again, and the journal erases them once more. It holds no
-- words of the person: the hash of the email is keyed.
create table erasure (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  erased_at_ms  bigint not null,
  erased_by     text   not null,
  email_hash    text   not null,
  primary key (subaccount_id, receiver_id)
);

create table receiver_account (
  subaccount_id             uuid    not null,
  id                        uuid    not null,
  receiver_id               uuid    not null,
  aka                       text    not null default '',
  occupation                text    not null default '',
  reference                 text    not null default '',
  home_dialcode             text    not null default '',
  home_phone                text    not null default '',
  address                   text    not null default '',
  address2                  text    not null default '',
  city                      text    not null default '',
  state                     text    not null default '',
  country                   text    not null default '',
  postcode                  text    not null default '',
  receiver_accepted         boolean not null default false,
  receiver_address_accepted boolean not null default false,
  receiver_address_outcome  text,
  created_at_ms             bigint  not null,
  version                   int     not null default 1,
  status                    text    not null default 'active' check (status in ('active', 'inactive')),
  -- Phone and address of the account, under the key of its receiver.
  contact_sealed            bytea,
  primary key (subaccount_id, id),
  foreign key (subaccount_id, receiver_id) references receiver
);
create index receiver_account_of_receiver on receiver_account (subaccount_id, receiver_id, id);

-- Bank details are never edited: a change is a new version, and a payout keeps the version that it was sent to.
create table bank_details (
  subaccount_id          uuid     not null,
  account_id             uuid     not null,
  version                int      not null check (version > 0),
  country                text     not null,
  individual_or_business text     not null check (individual_or_business in ('I', 'B')),
  account_number_sealed  bytea    not null,
  -- The end of the number, by which users recognise it.
  account_number_tail    text     not null,
  bsb                    text     not null,
  bank_code              text     not null,
  bank_name              text     not null,
  abn                    text     not null,
  acn                    text     not null,
  nzbn                   text     not null,
  created_at_ms          bigint   not null,
  created_by             text     not null,
  -- Empty: checking in the United States; other countries have neither.
  checking_or_savings    text     not null default '' check (checking_or_savings in ('', 'checking', 'savings')),
  business_name          text     not null default '',
  -- A keyed hash of the account number, by which one account at two receivers is found. Null: erased.
  account_number_mark    text,
  confirmed_by           text     not null default '',
  -- By which form of the number the hash was made.
  mark_version           smallint,
  primary key (subaccount_id, account_id, version),
  foreign key (subaccount_id, account_id) references receiver_account
);
create index bank_details_by_tail on bank_details (subaccount_id, account_number_tail, bsb, account_id)
  where account_number_tail <> '';
-- All receiver accounts with one number.
create index bank_details_by_mark on bank_details (subaccount_id, account_number_mark, account_id, version)
  where account_number_mark is not null;
-- Empty: every hash is of one form.
create index bank_details_marks_due on bank_details (subaccount_id, account_id, version)
  where country = 'NZL' and substr(account_number_tail, 2, 1) = '0' and mark_version is null
    and account_number_mark is not null;

-- Changes of bank details that one user requests and another decides.
create table bank_details_change (
  subaccount_id       uuid   not null,
  -- A UUID of version 7 that was made with made_at_ms.
  id                  uuid   not null,
  receiver_id         uuid   not null,
  -- Null for a new account, until there is one.
  account_id          uuid,
  -- The bank details that it was proposed on; null for a new account.
  account_version     int,
  -- The request, with the whole account number, and what it would change.
  proposal_sealed     bytea  not null,
  -- Of the account after the change.
  account_number_tail text   not null,
  country             text   not null,
  made_by             text   not null,
  made_at_ms          bigint not null,
  status              text   not null default 'waiting'
                             check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired')),
  decided_by          text   not null default '',
  decided_at_ms       bigint,
  reason              text   not null default '',
  -- The second user of the file that proposed the change.
  confirmed_by        text   not null default '',
  primary key (subaccount_id, id),
  foreign key (subaccount_id, receiver_id) references receiver,
  foreign key (subaccount_id, account_id) references receiver_account
);
create unique index bank_details_change_one_waiting on bank_details_change (subaccount_id, account_id)
  where status = 'waiting';
create index bank_details_change_waiting on bank_details_change (id) include (subaccount_id)
  where status = 'waiting';
create index bank_details_change_of_receiver on bank_details_change (subaccount_id, receiver_id, id);

-- Whether the bank knows the payee by the name that we have: one check for each version of bank details.
create table payee_name_check (
  subaccount_id uuid   not null,
  id            uuid   not null,
  account_id    uuid   not null,
  version       int    not null,
  -- The mode of the subaccount decides who checks.
  mode          text   not null check (mode in ('test', 'live')),
  -- Null until it was checked.
  outcome       text   check (outcome in ('match', 'close_match', 'no_match', 'unavailable')),
  checked_at_ms bigint,
  attempts      int    not null default 0,
  -- When it is checked next, or until when a worker has claimed it. Null: done.
  due_at_ms     bigint,
  primary key (subaccount_id, id),
  unique (subaccount_id, account_id, version),
  foreign key (subaccount_id, account_id, version) references bank_details,
  check ((outcome is null) = (checked_at_ms is null))
);
create index payee_name_check_due on payee_name_check (mode, subaccount_id, due_at_ms) where due_at_ms is not null;

-- === Screening

-- Each activation of a version makes a set: the active versions of all lists together.
create table screening_set (
  id       bigint generated always as identity primary key,
  -- The id of the active version by list.
  versions jsonb  not null,
  at_ms    bigint not null
);

-- Every version of a sanctions list.
create table screening_list_version (
  -- A UUID of version 7.
  id                   uuid   primary key,
  list                 text   not null,
  -- SHA-256 of the publisher's files.
  hash                 text   not null,
  -- The version of our reader: a better reader finds more in the same file.
  reader               int    not null,
  -- YYYY-MM-DD; empty where the files don't say it.
  published_day        text   not null,
  entries              int    not null,
  names                int    not null,
  -- Compared with the version that was active before.
  added                int    not null,
  changed              int    not null,
  removed              int    not null,
  status               text   not null check (status in ('waiting', 'active', 'declined', 'replaced', 'expired')),
  made_by              text   not null,
  at_ms                bigint not null,
  decided_by           text   not null default '',
  decided_at_ms        bigint,
  -- The first set with this version.
  set_id               bigint references screening_set,
  -- A version that the folder brought is made by no user, so two users approve it: the first of them.
  first_approved_by    text   not null default '',
  first_approved_at_ms bigint
);
create unique index screening_list_version_active on screening_list_version (list) where status = 'active';
create unique index screening_list_version_waiting on screening_list_version (list) where status = 'waiting';
create index screening_list_version_of_hash on screening_list_version (list, hash);

-- The entries of set s have from_set <= s and (to_set is null or to_set > s).
create table screening_entry (
  list     text   not null,
  key      text   not null,
  from_set bigint not null references screening_set,
  to_set   bigint references screening_set,
  hash     text   not null,
  entry    jsonb  not null,
  primary key (list, key, from_set),
  check (to_set > from_set)
);
create unique index screening_entry_current on screening_entry (list, key) where to_set is null;
create index screening_entry_from_set on screening_entry (from_set);
create index screening_entry_to_set on screening_entry (to_set) where to_set is not null;

-- The entries of a version that waits for a second user.
create table screening_waiting_entry (
  version_id uuid  not null references screening_list_version,
  key        text  not null,
  hash       text  not null,
  entry      jsonb not null,
  primary key (version_id, key)
);

-- Against which set of entries each receiver and account was screened last.
create table screening_record (
  subaccount_id  uuid   not null,
  subject_kind   text   not null check (subject_kind in ('receiver', 'account')),
  subject_id     uuid   not null,
  -- 0: not screened yet.
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
  constraint screening_hit_once unique (subaccount_id, subject_kind, subject_id, list, entry_key, entry_hash, subject_hash)
);
-- The payouts of these receivers are held.
create index screening_hit_of_receiver on screening_hit (subaccount_id, receiver_id)
  where status in ('open', 'same');
create index screening_hit_open on screening_hit (opened_at_ms, subaccount_id, id) where status = 'open';
create index screening_hit_decided on screening_hit (decided_at_ms, id) where status in ('same', 'different');

-- Receivers and accounts up to this id have a record. Ids are made in order of time.
create table screening_walk (
  subaccount_id uuid not null,
  subject_kind  text not null check (subject_kind in ('receiver', 'account')),
  after_id      uuid not null,
  primary key (subaccount_id, subject_kind)
);

-- === The books

-- One row for each subaccount and currency, so that one lock serves a whole batch. It only changes together with rows of
-- ledger_transfer. What we owe always equals what is at the bank; the row can't be written otherwise.
create table ledger_balance (
  subaccount_id uuid   not null,
  currency      text   not null check (currency ~ '^[A-Z]{3}$'),
  available     bigint not null default 0 constraint ledger_available_not_below_zero check (available >= 0),
  held          bigint not null default 0 check (held >= 0),
  clearing      bigint not null default 0 check (clearing >= 0),
  returns       bigint not null default 0 check (returns >= 0),
  fees          bigint not null default 0 check (fees >= 0),
  bank          bigint not null default 0,
  -- How many transfers there are: the number of the last one.
  transfers     bigint not null default 0,
  -- What was held on the day (UTC) of the last hold, so that the limit per day is checked under the same lock.
  day           text   not null default '',
  day_total     bigint not null default 0,
  -- The company's own money at the bank: what it put in, less what the bank charges. Only the internal subaccounts have it.
  company       bigint not null default 0,
  primary key (subaccount_id, currency),
  constraint ledger_balanced check ((available + held + clearing + returns + fees + company) = bank)
);

-- Append only. A row takes from one account and gives to another, so it is always balanced.
create table ledger_transfer (
  subaccount_id   uuid   not null,
  currency        text   not null,
  -- Counts up without a gap, under the lock of the balance row.
  number          bigint not null check (number > 0),
  id              uuid   not null,
  debit           text   not null,
  credit          text   not null,
  amount          bigint not null check (amount > 0),
  kind            text   not null,
  payout_id       uuid,
  -- The transfer that this one reverses. A mistake is never edited.
  reverses_id     uuid,
  reference       text   not null,
  -- The balance after this transfer, so that a statement shows it without adding up.
  available_after bigint not null,
  held_after      bigint not null,
  created_at_ms   bigint not null,
  created_by      text   not null,
  primary key (subaccount_id, currency, number),
  unique (subaccount_id, id),
  check (credit <> debit)
);
-- A bank's reference funds once, and a transfer is reversed once.
create unique index ledger_funded_once on ledger_transfer (subaccount_id, currency, reference)
  where kind = 'fund';
create unique index ledger_reversed_once on ledger_transfer (subaccount_id, reverses_id)
  where reverses_id is not null;
create index ledger_transfer_of_payout on ledger_transfer (subaccount_id, payout_id)
  where payout_id is not null;
-- The books of one bank connection, in the order of time.
create index ledger_transfer_into_bank on ledger_transfer (debit, created_at_ms) where debit like 'bank:%';
create index ledger_transfer_out_of_bank on ledger_transfer (credit, created_at_ms) where credit like 'bank:%';

-- The books by day (UTC). A day ends with the last transfer before the first one of a later day, so days are ranges of
-- numbers, and the end of one is the beginning of the next.
create table ledger_day (
  subaccount_id uuid   not null,
  currency      text   not null,
  day_ms        bigint not null,
  last_number   bigint not null,
  available     bigint not null,
  held          bigint not null,
  clearing      bigint not null,
  returns       bigint not null,
  fees          bigint not null,
  primary key (subaccount_id, currency, day_ms)
);

create table ledger_day_kind (
  subaccount_id uuid   not null,
  currency      text   not null,
  day_ms        bigint not null,
  kind          text   not null,
  transfers     bigint not null,
  amount        bigint not null,
  primary key (subaccount_id, currency, day_ms, kind)
);

-- Closed months with their figures. Append only, as the books are.
create table closed_month (
  subaccount_id uuid   not null,
  currency      text   not null,
  month         text   not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The transfers of the month: after the first number, up to the second. If both are equal, there are none.
  after_number  bigint not null,
  last_number   bigint not null,
  opening       bigint not null,
  funded        bigint not null,
  paid          bigint not null,
  returned      bigint not null,
  fees          bigint not null,
  reversed      bigint not null,
  closing       bigint not null,
  -- What the closing balance is made of.
  available     bigint not null,
  held          bigint not null,
  clearing      bigint not null,
  returns       bigint not null,
  closed_at_ms  bigint not null,
  closed_by     text   not null,
  primary key (subaccount_id, currency, month),
  check (last_number >= after_number),
  constraint closed_month_check1 check (closing = (opening + funded - paid + returned - fees - reversed)),
  constraint closed_month_check2 check (closing = (available + held + clearing + returns))
);

-- === Payouts

create table payout (
  subaccount_id       uuid   not null,
  -- A UUID of version 7 that was made with created_at_ms, so that ordering by id is ordering by age.
  id                  uuid   not null,
  batch_id            uuid,
  receiver_id         uuid   not null,
  account_id          uuid   not null,
  -- The bank details that it goes to, also when the account changes.
  account_version     int    not null,
  amount              bigint not null check (amount > 0),
  currency            text   not null,
  reference           text   not null,
  note                text   not null,
  status              text   not null check (status in ('pending', 'successful', 'failed')),
  stage               text   not null,
  cause               text   not null,
  cause_code          text   not null,
  rail                text   not null,
  provider_reference  text   not null,
  created_at_ms       bigint not null,
  updated_at_ms       bigint not null,
  created_by          text   not null,
  -- When a worker processes it next. It moves the time ahead first, which is its lease.
  due_at_ms           bigint,
  attempts            int    not null default 0,
  history_entries     int    not null default 1,
  send_on             text   not null default '',
  statement_reference text   not null default '',
  process_date        text   not null default '',
  expected_arrival    text   not null default '',
  bank_batch_id       uuid,
  -- ISO 20022 external purpose code, such as SALA.
  purpose             text   not null default '',
  -- Null: no fee, and the whole amount goes to the bank. So payouts without a fee need no space for it.
  fee                 bigint,
  sent_amount         bigint,
  primary key (subaccount_id, id),
  foreign key (subaccount_id, account_id, account_version) references bank_details
);
alter table payout add constraint payout_stage_check
  check (stage in ('on_hold', 'awaiting_approval', 'queued', 'batched', 'submitted', 'settled', 'rejected',
    'cancelled', 'returned')) not valid;
alter table payout add constraint payout_sent_amount check (
  sent_amount is null or (fee is not null and sent_amount > 0 and sent_amount = amount - fee)) not valid;
alter table payout add constraint payout_fee check (fee > 0) not valid;
create index payout_of_account on payout (subaccount_id, account_id, id);
-- Whether a receiver or an account has a pending payout.
create index payout_under_way on payout (subaccount_id, account_id) where status = 'pending';
-- Also finds duplicates.
create index payout_by_reference on payout (subaccount_id, reference, account_id, amount, id);
create index payout_of_batch on payout (subaccount_id, batch_id, id) where batch_id is not null;
-- Ids grow with time, so this is the queue over all subaccounts, oldest first.
create index payout_awaiting on payout (id) include (subaccount_id) where stage = 'awaiting_approval';
-- Serves currency, status and stage, because a status is a set of stages: a page reads one short range per pair and merges
-- them.
create index payout_by_stage on payout (subaccount_id, currency, stage, id);
-- Payouts of users. Those of API keys are not in it.
create index payout_by_person on payout (subaccount_id, created_by, id) where created_by like 'operator:%';
create index payout_due_of_subaccount on payout (rail, subaccount_id, due_at_ms)
  where due_at_ms is not null;
-- What a freeze takes, in the order in which it locks.
create index payout_to_freeze on payout (rail, subaccount_id, id) where stage = 'queued' and process_date <> '';
-- The search finds failed payouts by the code of their bank, newest first.
create index payout_by_cause_code on payout (subaccount_id, lower(cause_code) collate "C", id)
  where cause_code <> '';
-- Whether anything was paid to the bank details of an account.
create index payout_paid on payout (subaccount_id, account_id, account_version) where status = 'successful';

-- Its first entry, the creation, is the payout's own row.
create table payout_history (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  id            uuid   not null,
  at_ms         bigint not null,
  who           text   not null,
  from_status   text   not null,
  to_status     text   not null,
  from_stage    text   not null,
  to_stage      text   not null,
  reason        text   not null,
  number        int    not null default 0,
  primary key (subaccount_id, payout_id, id),
  foreign key (subaccount_id, payout_id) references payout
);
create trigger number_payout_history before insert on payout_history
  for each row when (new.number = 0) execute function number_payout_history();

create table payout_word (
  subaccount_id uuid not null,
  -- A word of the reference, or the amount in units of its currency, such as 1250.00.
  word          text collate "C" not null,
  payout_id     uuid not null,
  primary key (subaccount_id, word, payout_id)
);
create index payout_word_of_payout on payout_word (subaccount_id, payout_id);

-- What a subaccount may pay out. Without a row there is no limit, and the default thresholds apply.
create table payout_limit (
  subaccount_id               uuid   not null,
  currency                    text   not null,
  per_payout_max              bigint check (per_payout_max > 0),
  per_day_max                 bigint check (per_day_max > 0),
  -- A payout above it waits. Null: none does.
  approval_above              bigint check (approval_above >= 0),
  -- The sum of one payout batch, and of one receiver on one day (UTC): above it, payouts wait for a second user.
  batch_approval_above        bigint check (batch_approval_above >= 0),
  receiver_day_approval_above bigint check (receiver_day_approval_above >= 0),
  -- Null: none. -1: as the threshold per receiver and day.
  account_day_approval_above  bigint default -1 check (account_day_approval_above >= -1),
  primary key (subaccount_id, currency)
);

-- Why a payout waits for approval: shown where a second user decides.
create table payout_approval_reason (
  subaccount_id uuid   not null,
  payout_id     uuid   not null,
  rule          text   not null,
  -- The threshold when the payout was made, in minor units. Null: the rule has none.
  above         bigint,
  primary key (subaccount_id, payout_id, rule),
  foreign key (subaccount_id, payout_id) references payout
);
alter table payout_approval_reason add constraint payout_approval_reason_rule_check
  check (rule in ('payout', 'batch', 'receiver_day', 'account_day', 'bank_details', 'new_account')) not valid;

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

-- Payouts that can't be sent to the bank, or that it does not confirm, with the reason. The worker tries them again with
-- backoff. The row is deleted when the payout moves on.
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

-- A failed payout is retried once.
create table payout_retry (
  subaccount_id uuid not null,
  retry_of      uuid not null,
  payout_id     uuid not null,
  primary key (subaccount_id, retry_of),
  foreign key (subaccount_id, payout_id) references payout
);

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
create index payout_hold_decided on payout_hold (decided_at_ms, id) where decision in ('released', 'refused');

-- Versions of the rules. A proposed version is approved by another user, and replaces the active one.
create table payout_rule_set (
  version       bigint generated always as identity primary key,
  -- The version that was active when this one was proposed. Null: there was none.
  base_version  bigint,
  rules         jsonb  not null,
  hash          text   not null,
  -- For each kind of subject: the version since which its payouts are counted without a gap.
  epochs        jsonb  not null default '{}',
  status        text   not null check (status in ('proposed', 'active', 'replaced', 'declined', 'expired')),
  note          text   not null default '',
  made_by       text   not null,
  made_at_ms    bigint not null,
  decided_by    text,
  decided_at_ms bigint,
  decided_why   text   not null default ''
);
create unique index payout_rule_set_active on payout_rule_set (status) where status = 'active';

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

-- Running totals of accepted payouts for each subject: a receiver, an account or the subaccount itself. The sum of a
-- window is the newest row minus the newest row at or before the start of the window.
create table payout_count (
  subaccount_id uuid    not null,
  currency      text    not null,
  subject_id    uuid    not null,
  epoch         bigint  not null,
  at_ms         bigint  not null,
  number        bigint  not null,
  total         numeric not null,
  primary key (subaccount_id, currency, subject_id, epoch, at_ms, number) include (total)
);

-- Payouts of the subaccount up to this number of the ledger are in payout_count. The rest is added under the lock of the
-- balance by the first payout that the rules decide on, which deletes the row.
create table payout_count_fill (
  subaccount_id uuid   not null,
  currency      text   not null,
  epoch         bigint not null,
  up_to_number  bigint not null,
  primary key (subaccount_id, currency, epoch)
);

-- The payouts of one balance on one day (UTC), without failed ones, to each subject: a receiver, or an account by the keyed
-- hash of its number. The subject '' is the balance: its total is ledger_balance.day_total as the last counted payout left it.
-- If that differs from the balance, payouts were accepted uncounted, and the next one starts another generation. Rows of an
-- earlier generation are filled from the payouts. Generation 0 has counted the whole day: a subject without a row has 0.
create table payout_day_total (
  subaccount_id uuid    not null,
  currency      text    not null,
  day           text    not null,
  subject       text    not null,
  total         numeric not null,
  generation    int     not null,
  primary key (subaccount_id, currency, day, subject)
) with (fillfactor = 50);
-- For the deletion of past days. An expression, so that nothing else uses it: it holds the rows of all balances.
create index payout_day_total_by_day on payout_day_total ((day || ''));

-- Files that users imported in the console, and how far each came. Payouts of an import have its id as their batch_id.
create table file_import (
  subaccount_id    uuid   not null,
  id               uuid   not null,
  kind             text   not null check (kind in ('payouts', 'receivers', 'retry')),
  file_name        text   not null,
  rows             int    not null,
  created          int    not null default 0,
  already_imported int    not null default 0,
  refused          int    not null default 0,
  who              text   not null,
  -- The import or the payout batch whose failed rows this one retries.
  retry_of         uuid,
  updated_at_ms    bigint not null,
  ended_at_ms      bigint,
  primary key (subaccount_id, id)
);

-- A refused row of payouts has its fields, one of receivers only its number and code. Rows are kept as long as the keys
-- by which an import recognises rows.
create table file_import_refusal (
  subaccount_id       uuid    not null,
  import_id           uuid    not null,
  number              int     not null,
  code                text    not null,
  receiver_id         uuid,
  account_id          uuid,
  amount              bigint,
  currency            text,
  reference           text    not null default '',
  note                text    not null default '',
  send_on             text    not null default '',
  statement_reference text    not null default '',
  purpose             text    not null default '',
  allow_duplicate     boolean not null default false,
  primary key (subaccount_id, import_id, number)
);
create index file_import_refusal_of_receiver on file_import_refusal (subaccount_id, receiver_id);

-- === Events and their delivery

-- Where a subaccount's events are sent, and the lane of their queue. One process at a time owns a lane; claiming it raises
-- the epoch, so that a process that has lost it can change nothing. Half of each page stays free and only the key is
-- indexed, so that claiming and releasing a lane touches no index.
create table webhook_endpoint (
  subaccount_id              uuid     not null,
  -- Empty: nowhere.
  url                        text     not null default '',
  owner                      int,
  epoch                      bigint   not null default 0,
  lease_until_ms             bigint   not null default 0,
  -- A webhook endpoint that does not work gets no request until then, and then one.
  open_until_ms              bigint   not null default 0,
  backoff_level              int      not null default 0,
  -- Failures since the last success.
  failure_score              int      not null default 0,
  failing_since_ms           bigint,
  -- How many of the times after which users are informed have passed and are reported.
  failing_reported           smallint not null default 0,
  disabled_at_ms             bigint,
  -- The actor who paused it; then disabled_at_ms is set, as it is after a response of 410.
  paused_by                  text,
  -- Types of events that are sent beside the published ones, on request.
  event_types                text[]   not null default '{}',
  -- Since when its secret can't be decrypted: events wait.
  secret_unreadable_since_ms bigint,
  constraint endpoint_pkey primary key (subaccount_id)
) with (fillfactor = 50);

create table webhook_endpoint_secret (
  subaccount_id uuid   not null,
  id            uuid   not null,
  sealed        bytea  not null,
  created_at_ms bigint not null,
  -- Set by a rotation: the end of the overlap.
  expires_at_ms bigint,
  constraint endpoint_secret_pkey primary key (subaccount_id, id)
);

-- The outbox: written in the transaction of the change that it is about.
create table event (
  subaccount_id uuid    not null,
  id            uuid    not null,
  -- Given under the lock of what changed, so that it counts up in the order of the changes to one thing.
  number        bigint  not null default nextval('event_number'),
  -- The payout or the receiver that it is about: events of one are sent in order.
  order_key     uuid    not null,
  type          text    not null,
  -- The bytes to send, the same on every try.
  body          text    not null,
  created_at_ms bigint  not null,
  -- There was a webhook endpoint when it happened, or it was requested since.
  wanted        boolean not null default false,
  -- For searches. A quote within a text of the body is escaped, so this finds only the field. A pattern would take thirty
  -- times as long.
  receiver_id   uuid    generated always as (
                  case when strpos(body, '"receiver_id":"') > 0
                  then substr(body, strpos(body, '"receiver_id":"') + 15, 36)::uuid end) stored,
  -- The trace context of the request. Null unless tracing is on.
  traceparent   text,
  primary key (subaccount_id, id)
) partition by range (id);
create index event_in_order on event (subaccount_id, order_key, number);
create index event_of_receiver on event (subaccount_id, receiver_id, id);
-- For rows outside every partition. There should be none.
create table event_default partition of event default;

-- Events that are not delivered yet. The row is deleted when its event has been delivered.
create table delivery (
  subaccount_id uuid   not null,
  -- Of the event.
  number        bigint not null,
  event_id      uuid   not null,
  order_key     uuid   not null,
  -- From when on the days of its retries are counted.
  since_ms      bigint not null,
  due_at_ms     bigint not null default 0,
  attempts      int    not null default 0,
  primary key (subaccount_id, number)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- Almost empty while endpoints work: finds the events that hold back later ones.
create index delivery_stuck on delivery (subaccount_id, order_key, number) where attempts > 0;

-- Events that are no longer retried, until they are requested again.
create table delivery_abandoned (
  subaccount_id   uuid   not null,
  event_id        uuid   not null,
  attempts        int    not null,
  abandoned_at_ms bigint not null,
  constraint delivery_at_rest_pkey primary key (subaccount_id, event_id)
);

-- The id says when it was.
create table delivery_attempt (
  subaccount_id uuid not null,
  event_id      uuid not null,
  id            uuid not null,
  number        int  not null,
  -- Of the response. Null: none came.
  status        int,
  -- Why it failed, in a word. Null: it succeeded.
  failure       text,
  detail        text not null,
  took_ms       int  not null,
  -- The beginning of the response, redacted.
  answer        text not null,
  primary key (subaccount_id, event_id, id)
) partition by range (id);
-- The newest attempts of a subaccount, for all events.
create index delivery_attempt_by_time on delivery_attempt (subaccount_id, id);
create table delivery_attempt_default partition of delivery_attempt default;

-- An event that was requested again: the feed has it once more.
create table event_resend (
  subaccount_id uuid not null,
  id            uuid not null,
  event_id      uuid not null,
  who           text not null,
  primary key (subaccount_id, id)
);

-- A period whose events were requested again. They are sent in the order of their ids, in portions.
create table event_recovery (
  subaccount_id  uuid    not null,
  id             uuid    not null,
  since_ms       bigint  not null,
  until_ms       bigint  not null,
  with_delivered boolean not null,
  who            text    not null,
  after_id       uuid    not null,
  recovered      bigint  not null default 0,
  -- Limits how often it continues, however many processes work on it.
  advanced_at_ms bigint  not null default 0,
  done_at_ms     bigint,
  -- Null: it ended by itself, or still runs.
  cancelled_by   text,
  -- Also events that were never sent because there was no address.
  with_unsent    boolean not null default true,
  primary key (subaccount_id, id)
);
create index event_recovery_under_way on event_recovery (id) where done_at_ms is null;

-- Workers that deliver. Each holds the lock of its number while it lives.
create table delivery_worker (
  number     int         primary key,
  started_at timestamptz not null default now()
);

-- === Banks

-- One of our own accounts at a bank. The settings of its format hold our account number, so they are encrypted.
create table bank_connection (
  id              uuid   primary key,
  name            text   not null constraint bank_connection_name_taken unique,
  format          text   not null,
  currency        text   not null check (currency ~ '^[A-Z]{3}$'),
  countries       text[] not null check (countries <> '{}'),
  settings_sealed bytea  not null,
  account_tail    text   not null,
  calendar        text   not null,
  -- Closed beside the calendar, YYYY-MM-DD.
  closed_days     text[] not null default '{}',
  time_zone       text   not null,
  -- Wall-clock times, HH:MM: when we freeze a batch, and when the bank takes no more files for that day.
  freeze_at       text   not null check (freeze_at ~ '^\d\d:\d\d$'),
  bank_cutoff     text   not null check (bank_cutoff ~ '^\d\d:\d\d$'),
  -- When a payment counts as successful.
  success_when    text   not null check (success_when in ('days', 'confirmed', 'sent')),
  success_days    int    not null check (success_days between 0 and 30),
  releasers       int    not null check (releasers in (1, 2)),
  -- Null: every live subaccount.
  subaccount_ids  uuid[],
  file_count_max  int    check (file_count_max > 0),
  file_total_max  bigint check (file_total_max > 0),
  files           bigint not null default 0,
  created_at_ms   bigint not null,
  created_by      text   not null,
  disabled_at_ms  bigint,
  -- The settings of SFTP hold a password or a private key, so they are encrypted.
  travels         text   not null default 'download' check (travels in ('download', 'sftp')),
  sftp_sealed     bytea,
  -- test: a connection of test subaccounts, to the bank simulator.
  mode            text   not null default 'live' check (mode in ('live', 'test')),
  -- Minor units.
  fee_fixed       bigint check (fee_fixed > 0),
  fee_min         bigint check (fee_min > 0),
  fee_max         bigint check (fee_max > 0),
  -- Of the amount, as a decimal with at most 4 places.
  fee_percent     text   check (fee_percent ~ '^\d{1,2}(\.\d{1,4})?$'),
  fee_bearer      text   check (fee_bearer in ('subaccount', 'receiver')),
  constraint bank_connection_sftp check ((travels = 'sftp') = (sftp_sealed is not null)),
  constraint bank_connection_test_lists_subaccounts check (mode = 'live' or subaccount_ids is not null),
  -- Without a fixed fee and a percentage there is no fee, and no field of it.
  constraint bank_connection_fee check (
    (fee_bearer is null) = (fee_fixed is null and fee_percent is null)
    and (fee_bearer is not null or (fee_min is null and fee_max is null))
    and (fee_min is null or fee_max is null or fee_min <= fee_max))
);

-- The meaning of the columns of a bank's CSV statements. Every version is kept: statements were read by it.
create table bank_csv_mapping (
  connection_id uuid   not null references bank_connection,
  -- From 1; the highest is in use.
  version       int    not null check (version > 0),
  mapping       jsonb  not null,
  saved_at_ms   bigint not null,
  saved_by      text   not null,
  primary key (connection_id, version)
);

-- Changes of bank connections that one admin requests and another approves.
create table bank_connection_request (
  id              uuid   primary key,
  kind            text   not null check (kind in ('add', 'change', 'enable')),
  name            text   not null,
  -- The fields to save. They hold our account number, so they are encrypted. Null: there are none.
  fields_sealed   bytea,
  -- The connection as both users see it, with the account number masked.
  before          jsonb  not null,
  after           jsonb  not null,
  -- The settings that the request was made for: they must be the same when it is approved.
  settings_sha256 text   not null,
  made_by         text   not null,
  made_at_ms      bigint not null,
  status          text   not null default 'waiting'
                         check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired')),
  decided_by      text   not null default '',
  decided_at_ms   bigint
);
create unique index bank_connection_request_waiting on bank_connection_request (name) where status = 'waiting';

-- Payouts that leave together, and the bank file that holds them. The file never changes.
create table bank_batch (
  id                  uuid   primary key,
  connection_id       uuid   not null references bank_connection,
  sequence            bigint not null check (sequence > 0),
  status              text   not null
                             check (status in ('frozen', 'approved', 'sending', 'sent', 'accepted', 'partly_rejected', 'rejected', 'discarded')),
  process_date        text   not null,
  cutoff_ms           bigint not null,
  payouts             int    not null check (payouts > 0),
  total               bigint not null check (total > 0),
  currency            text   not null,
  file_name           text   not null,
  file_sha256         text   not null,
  file_bytes          bigint not null,
  frozen_at_ms        bigint not null,
  frozen_by           text   not null,
  approved_at_ms      bigint,
  -- Everyone who approved the file, by its hash.
  approved_by         text[] not null default '{}',
  downloaded_at_ms    bigint,
  downloaded_by       text   not null default '',
  sent_at_ms          bigint,
  sent_by             text   not null default '',
  bank_reference      text   not null default '',
  -- Who asked to discard a file that may be at the bank. A second user confirms it.
  discard_by          text   not null default '',
  discarded_at_ms     bigint,
  -- From then on a user has read the file and could give it to the bank, so discarding it takes two users.
  read_at_ms          bigint,
  -- When the first user asked for it.
  discard_asked_at_ms bigint,
  unique (connection_id, sequence)
);
create index bank_batch_open on bank_batch (connection_id, id) where status in ('frozen', 'approved', 'sending');
create index bank_batch_expected on bank_batch (connection_id, process_date);

create table bank_batch_chunk (
  -- The batch is inserted last, when its file is written.
  batch_id uuid  not null references bank_batch deferrable initially deferred,
  number   int   not null,
  sealed   bytea not null,
  primary key (batch_id, number)
);

-- Which payout is in which file, under which reference. A discarded batch keeps its lines.
create table bank_batch_line (
  subaccount_id  uuid not null,
  payout_id      uuid not null,
  batch_id       uuid not null references bank_batch deferrable initially deferred,
  line           int  not null,
  file_reference text not null,
  -- A keyed hash of the payee's account, the amount and the reference in the file: returns are found by it.
  match_key      text not null default '',
  -- A keyed hash of the payee's account and the amount, by which a line without our reference is found.
  account_key    text not null default '',
  primary key (subaccount_id, payout_id, batch_id),
  foreign key (subaccount_id, payout_id) references payout
);
create unique index bank_batch_line_in_order on bank_batch_line (batch_id, line);
create index bank_batch_line_match on bank_batch_line (match_key) where match_key <> '';
create index bank_batch_line_of_payout on bank_batch_line (payout_id);
create index bank_batch_line_account on bank_batch_line (account_key) where account_key <> '';

-- A file that the service sends itself. Once it may have left, address, name and bytes never change: sending it again
-- means the same bytes under the same name.
create table bank_batch_send (
  batch_id       uuid    primary key references bank_batch,
  -- The process that sends it, until after_ms. Null: none does, and it is tried again after after_ms.
  token          uuid,
  -- Null: a user has to act.
  after_ms       bigint,
  tries          int     not null default 0,
  problem        text    not null default '',
  -- Empty until it is being sent.
  destination    text    not null default '',
  name           text    not null default '',
  is_encrypted   boolean not null default false,
  sha256         text    not null default '',
  bytes          bigint  not null default 0,
  -- From now on the bank may have taken the file away from where we put it.
  renaming_at_ms bigint
);

-- The bytes of a file that was encrypted for the bank. Encrypting it again would give other bytes.
create table bank_batch_encrypted_chunk (
  batch_id uuid  not null references bank_batch,
  number   int   not null,
  bytes    bytea not null,
  primary key (batch_id, number)
);

-- A file is applied whole or not at all, and once.
create table bank_inbound_file (
  id             uuid   primary key,
  connection_id  uuid   not null references bank_connection,
  sha256         text   not null constraint bank_inbound_file_applied unique,
  name           text   not null,
  format         text   not null,
  bytes          bigint not null,
  received_at_ms bigint not null,
  received_by    text   not null,
  lines          int    not null,
  applied        int    not null,
  noted          int    not null,
  suspended      int    not null,
  repeated       int    not null,
  confirmed_by   text   not null default ''
);
create index bank_inbound_file_newest on bank_inbound_file (connection_id, id);

-- The bytes, encrypted: they hold account numbers.
create table bank_inbound_chunk (
  file_id uuid  not null references bank_inbound_file,
  number  int   not null,
  sealed  bytea not null,
  primary key (file_id, number)
);

-- What a bank reports about one payment or one of our files.
create table bank_inbound_line (
  file_id       uuid   not null references bank_inbound_file,
  -- Counts from 1. Several may be on one line of the file.
  number        int    not null,
  line          int    not null,
  connection_id uuid   not null,
  -- Names the bank's item, as a keyed hash: overlapping files report it again. Null for such a repeated line.
  item_key      text,
  kind          text   not null,
  code          text   not null,
  bank_text     text   not null,
  reference     text   not null,
  day           text   not null,
  amount        bigint,
  currency      text   not null,
  subaccount_id uuid,
  payout_id     uuid,
  batch_id      uuid,
  outcome       text   not null check (outcome in ('applied', 'noted', 'suspended', 'repeated')),
  -- What was done, or why nothing was.
  detail        text   not null,
  -- returns, notification or statement. Null: the format of the file says it.
  source        text,
  primary key (file_id, number),
  foreign key (subaccount_id, payout_id) references payout
);
alter table bank_inbound_line add constraint bank_inbound_line_kind_check
  check (kind in ('return', 'rejection', 'settled', 'debited', 'accepted', 'change', 'credit', 'other')) not valid;
create unique index bank_inbound_line_item on bank_inbound_line (connection_id, item_key) where item_key is not null;
create index bank_inbound_line_of_payout on bank_inbound_line (subaccount_id, payout_id) where payout_id is not null;

-- How far the polling of each bank's folder is.
create table bank_folder_poll (
  connection_id uuid   primary key references bank_connection,
  -- The process that polls the folder, until after_ms. Null: none does, and it is polled again after after_ms.
  token         uuid,
  after_ms      bigint not null,
  -- When a poll last succeeded. Before the first success: when the first poll began.
  good_at_ms    bigint not null,
  problem       text   not null default ''
);

-- A file that has the same name, size and modification time as before is not read again.
create table bank_folder_file (
  connection_id   uuid   not null references bank_connection,
  -- The server, our user there and the folder: a file of the same name elsewhere is another file.
  folder          text   not null,
  name            text   not null,
  size            bigint not null,
  modified_at_s   bigint not null,
  -- Since when it has this size and time. A file that still grows is not read.
  since_ms        bigint not null,
  status          text   not null check (status in ('waiting', 'applied', 'no_reports', 'refused', 'ignored')),
  at_ms           bigint not null,
  inbound_file_id uuid   references bank_inbound_file,
  code            text   not null default '',
  message         text   not null default '',
  primary key (connection_id, folder, name)
);
create index bank_folder_file_refused on bank_folder_file (connection_id, at_ms) where status = 'refused';

-- Money and reports that a user has to decide about.
create table bank_suspense_item (
  id            uuid    primary key,
  connection_id uuid    not null references bank_connection,
  file_id       uuid    not null,
  number        int     not null,
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
  status        text    not null
                        check (status in ('open', 'matched', 'split', 'returned', 'closed', 'funded', 'company', 'merged')),
  acts          int     not null default 0,
  created_at_ms bigint  not null,
  foreign key (file_id, number) references bank_inbound_line
);
create index bank_suspense_item_open on bank_suspense_item (connection_id, id) where status = 'open';
create index bank_suspense_item_oldest on bank_suspense_item (created_at_ms) where status = 'open';
create index bank_suspense_item_of_parent on bank_suspense_item (parent_id) where parent_id is not null;

-- Everything that was decided about an item. Nothing is changed or deleted: undoing is a new act.
create table bank_suspense_act (
  item_id       uuid   not null references bank_suspense_item,
  number        int    not null,
  act           text   not null check (act in ('match', 'split', 'return', 'close', 'fund', 'company', 'undo')),
  reason        text   not null,
  subaccount_id uuid,
  payout_id     uuid,
  at_ms         bigint not null,
  who           text   not null,
  transfer_id   uuid,
  primary key (item_id, number)
);
create index bank_suspense_act_of_payout on bank_suspense_act (payout_id) where payout_id is not null;
create index bank_suspense_act_of_transfer on bank_suspense_act (transfer_id) where transfer_id is not null;

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

-- A statement or a notification of a file from a bank. Statements are chained: each opens with what the one before closed with.
create table bank_statement (
  id            uuid   primary key,
  connection_id uuid   not null references bank_connection,
  file_id       uuid   not null references bank_inbound_file,
  -- Its place in the file, from 1.
  number        int    not null,
  -- Only statements move the balance. A notification tells the same earlier.
  kind          text   not null check (kind in ('statement', 'notification')),
  -- The bank's own name and number of it.
  bank_id       text   not null,
  sequence      text   not null,
  currency      text   not null,
  -- YYYY-MM-DD, by the bank's days.
  from_day      text   not null,
  to_day        text   not null,
  -- Null where the bank gives none.
  opening       bigint,
  closing       bigint,
  lines         int    not null,
  -- Lines that earlier statements had as well.
  repeated      int    not null,
  unique (file_id, number)
);
create index bank_statement_in_order on bank_statement (connection_id, to_day, id);

-- A line of a statement.
create table bank_statement_line (
  id             uuid   primary key,
  connection_id  uuid   not null references bank_connection,
  statement_id   uuid   not null references bank_statement deferrable initially deferred,
  number         int    not null,
  -- Booking and value date, by the bank's days.
  day            text   not null,
  value_day      text   not null,
  -- Minor units; below zero: money left our account.
  amount         bigint not null check (amount <> 0),
  currency       text   not null,
  code           text   not null,
  bank_reference text   not null,
  reference      text   not null,
  bank_text      text   not null,
  party          text   not null,
  account_tail   text   not null,
  -- A keyed hash of all that the bank tells about the line, and which of equal lines it is.
  content_key    text   not null,
  occurrence     int    not null check (occurrence > 0),
  -- The report of the same file that booked it, if there is one: a return, or a credit in suspense.
  report_number  int,
  status         text   not null,
  -- The earlier line that a doubtful or repeated one may repeat.
  repeats_id     uuid   references bank_statement_line,
  constraint bank_statement_line_once unique (connection_id, content_key, occurrence)
);
alter table bank_statement_line add constraint bank_statement_line_status_check
  check (status in ('open', 'matched', 'suspended', 'noted', 'doubtful', 'repeated')) not valid;
create index bank_statement_line_in_order on bank_statement_line (statement_id, number);
create index bank_statement_line_by_day on bank_statement_line (connection_id, day, id);
create index bank_statement_line_open on bank_statement_line (connection_id, id) where status = 'open';
-- The credits of one payer: whom it funded before says whom it may fund now.
create index bank_statement_line_of_payer on bank_statement_line (connection_id, party, id)
  where amount > 0 and party <> '';
create index bank_statement_line_doubtful on bank_statement_line (connection_id, id) where status = 'doubtful';

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
  undoes_id     uuid    constraint bank_match_undone_once unique references bank_match,
  is_undone     boolean not null default false,
  made_by       text    not null,
  at_ms         bigint  not null
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
  connection_id uuid   not null references bank_connection,
  month         text   not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  currency      text   not null,
  statement_id  uuid   not null references bank_statement,
  books         bigint not null,
  bank          bigint not null,
  in_transit    bigint not null,
  csv           bytea  not null,
  csv_sha256    text   not null,
  pdf           bytea  not null,
  pdf_sha256    text   not null,
  closed_at_ms  bigint not null,
  closed_by     text   not null,
  primary key (connection_id, month),
  check (books = (bank + in_transit))
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
  item   text   not null,
  number int    not null,
  owner  text   not null,
  note   text   not null,
  at_ms  bigint not null,
  who    text   not null,
  primary key (item, number)
);

-- What one user may not do alone with a live bank connection waits for a second user.
create table bank_request (
  id             uuid   primary key,
  kind           text   not null,
  connection_id  uuid   not null references bank_connection,
  -- The hash of the file, the suspense item, the statement line, or the connection.
  object_id      text   not null,
  -- Sums and counts, as the second user sees them, and their hash.
  summary        jsonb  not null,
  summary_sha256 text   not null,
  -- What is applied, encrypted. A file is in chunks instead. Both are deleted with the decision.
  input_sealed   bytea,
  made_by        text   not null,
  made_at_ms     bigint not null,
  status         text   not null default 'waiting'
                        check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired')),
  decided_by     text   not null default '',
  decided_at_ms  bigint,
  reason         text   not null default ''
);
alter table bank_request add constraint bank_request_kind_check
  check (kind in ('file', 'suspense', 'statement_line', 'csv_mapping', 'opening')) not valid;
create index bank_request_waiting on bank_request (id) where status = 'waiting';
create unique index bank_request_one_waiting on bank_request (kind, object_id) where status = 'waiting';

-- The bytes of a file that waits, encrypted.
create table bank_request_chunk (
  request_id uuid  not null references bank_request,
  number     int   not null,
  sealed     bytea not null,
  primary key (request_id, number)
);

-- The sum of what users have decided alone on a day, with live bank connections: splitting does not help.
create table bank_alone_total (
  day      text   not null,
  currency text   not null,
  total    bigint not null,
  primary key (day, currency)
);

-- === Roll-ups

-- How far each balance is added up. Transfers are numbered without a gap and never changed, so one number is enough. All
-- roll-ups can be built again from the tables that they are taken from.
create table rollup_cursor (
  subaccount_id uuid   not null,
  currency      text   not null,
  number        bigint not null default 0,
  -- The latest time so far: a transfer may carry one a little earlier than the transfer before it.
  latest_ms     bigint not null default 0,
  -- Payouts that are neither paid nor failed.
  in_flight     bigint not null default 0,
  -- The ledger accounts by the transfers alone.
  available     bigint not null default 0,
  held          bigint not null default 0,
  clearing      bigint not null default 0,
  returns       bigint not null default 0,
  fees          bigint not null default 0,
  constraint tally_cursor_pkey primary key (subaccount_id, currency)
);

-- Payouts by the time of their creation, in hours and quarters of an hour, which make up the days of every time zone.
create table payout_rollup (
  subaccount_id   uuid      not null,
  span_ms         int       not null constraint payout_tally_span_ms_check check (span_ms in (900000, 3600000)),
  start_ms        bigint    not null,
  currency        text      not null,
  created         bigint    not null,
  created_amount  bigint    not null,
  -- Including those that came back since.
  paid            bigint    not null,
  paid_amount     bigint    not null,
  returned        bigint    not null,
  returned_amount bigint    not null,
  -- Before they were paid.
  failed          bigint    not null,
  failed_amount   bigint    not null,
  -- The durations of paid ones, by the bounds of the histogram.
  took            integer[] not null,
  -- By the time of payment, not of creation.
  out             bigint    not null,
  out_amount      bigint    not null,
  constraint payout_tally_pkey primary key (subaccount_id, span_ms, start_ms, currency)
);

-- Failed payouts by the time of their creation and by cause.
create table payout_failure_rollup (
  subaccount_id uuid   not null,
  span_ms       int    not null constraint payout_cause_tally_span_ms_check check (span_ms in (900000, 3600000)),
  start_ms      bigint not null,
  currency      text   not null,
  -- In words, and the bank's code if it gave one.
  cause         text   not null,
  cause_code    text   not null,
  failed        bigint not null,
  failed_amount bigint not null,
  constraint payout_cause_tally_pkey primary key (subaccount_id, span_ms, start_ms, currency, cause)
);

-- Delivery attempts by their time.
create table delivery_rollup (
  subaccount_id uuid      not null,
  span_ms       int       not null constraint delivery_tally_span_ms_check check (span_ms in (900000, 3600000)),
  start_ms      bigint    not null,
  -- Delivered at the first attempt, at a later one, failed.
  ok            bigint    not null,
  retried       bigint    not null,
  failed        bigint    not null,
  took          integer[] not null,
  constraint delivery_tally_pkey primary key (subaccount_id, span_ms, start_ms)
);

create table delivery_rollup_cursor (
  subaccount_id uuid not null,
  -- All attempts before this id are added up.
  before_id     uuid not null,
  constraint delivery_tally_cursor_pkey primary key (subaccount_id)
);

-- === Moves

-- The move of a subaccount, in the cell that it leaves and in the cell that it joins.
create table subaccount_move (
  subaccount_id        uuid    not null,
  -- The same in both cells.
  id                   uuid    not null,
  side                 text    not null check (side in ('source', 'target')),
  step                 text    not null,
  other_cell           text    not null,
  -- Until then background work skips the subaccount.
  work_stops_until_ms  bigint  not null default 0,
  -- Until then its rows can't be written. It expires, so that a command that was killed stops nothing for long.
  writes_stop_until_ms bigint  not null default 0,
  -- The other cell has it: its rows here are never written again.
  has_moved            boolean not null default false,
  started_at_ms        bigint  not null,
  changed_at_ms        bigint  not null,
  facts                jsonb   not null default '{}',
  primary key (subaccount_id)
);

-- A row that the source writes to see when the target has received all that was committed before it.
create table subaccount_move_marker (
  subaccount_id uuid   not null,
  number        bigint not null,
  primary key (subaccount_id)
);

-- === First rows

select keep_partitions_of('event', 7, 90);
select keep_partitions_of('delivery_attempt', 1, 30);
select keep_partitions_of('request_log', 1, 30);

insert into audit_head (number, at_ms, hash, mark) values (0, 0, '', '');

-- Embargoed countries are a list like the others. These three are the default.
with day_one as (
  insert into screening_set (versions, at_ms)
  values ('{"embargo": "01938f00-0000-7000-8000-000000000042"}', (extract(epoch from now()) * 1000)::bigint)
  returning id, at_ms
), version as (
  insert into screening_list_version (id, list, hash, reader, published_day, entries, names, added, changed, removed,
    status, made_by, at_ms, decided_by, decided_at_ms, set_id)
  select '01938f00-0000-7000-8000-000000000042', 'embargo',
    '415b18a70e6a6a976647407ee09039ee56a568e74d26cc21620562ae532fd307', 1, '', 3, 3, 3, 0, 0,
    'active', 'service', at_ms, 'service', at_ms, id
  from day_one
)
insert into screening_entry (list, key, from_set, hash, entry)
select 'embargo', entry ->> 'key', day_one.id, hash, entry
from day_one, (values
  ('a7e048f36c22abf544dc67aeeaab6a1cd99fc285e82fcac082235a3fdfdc18af', '{"key": "CUB", "kind": "country",
    "names": [{"text": "Cuba", "isWeak": false}], "birthDates": [], "countries": ["CUB"],
    "program": "Cuban Assets Control Regulations, 31 CFR part 515", "remarks": "Since 1963-07-08"}'::jsonb),
  ('db45b233be9908723d035312b48222017650f9768c24a407a56c44b265a6a2bf', '{"key": "IRN", "kind": "country",
    "names": [{"text": "Iran", "isWeak": false}], "birthDates": [], "countries": ["IRN"],
    "program": "Iranian Transactions and Sanctions Regulations, 31 CFR part 560", "remarks": "Since 2012-10-22"}'::jsonb),
  ('38c27ebf435e78deece4abb915771ab6234b0e31d84a9f2e95d36c4d06a892c8', '{"key": "PRK", "kind": "country",
    "names": [{"text": "North Korea", "isWeak": false}], "birthDates": [], "countries": ["PRK"],
    "program": "North Korea Sanctions Regulations, 31 CFR part 510", "remarks": "Since 2018-03-05"}'::jsonb)
) as seed (hash, entry);

-- === Rights

-- The service may not change transfers and audit entries. These functions run as the owner of the tables, and can do one
-- thing: remove words.
create function empty_transfer_references(of_subaccount uuid, of_payouts uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update ledger_transfer set reference = ''
  where subaccount_id = of_subaccount and payout_id = any(of_payouts) and reference <> ''
$$;

-- `entries` has the number and the mark of each entry, and whether its actor is removed too.
create function redact_audit_entries(entries json) returns void
language sql security definer set search_path = public, pg_temp as $$
  update audit_entry e
  set before = '{}', after = '{}', redaction_mark = r.mark,
      who = case when r.with_actor then '' else e.who end,
      ip = case when r.with_actor then '' else e.ip end,
      request_id = case when r.with_actor then '' else e.request_id end
  from json_to_recordset(entries) as r(number bigint, mark text, with_actor boolean)
  where e.number = r.number
$$;

revoke execute on function keep_partitions_of(text, int, int) from public;
revoke execute on function empty_transfer_references(uuid, uuid[]) from public;
revoke execute on function redact_audit_entries(json) from public;
do $$
begin
  revoke update, delete, truncate on ledger_transfer, audit_entry, closed_month from disburse_service;
  revoke insert, delete, truncate on audit_head from disburse_service;
  grant usage on sequence event_number to disburse_service;
  grant execute on function keep_partitions_of(text, int, int) to disburse_service;
  grant execute on function empty_transfer_references(uuid, uuid[]) to disburse_service;
  grant execute on function redact_audit_entries(json) to disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
do $$
begin
  execute format('revoke update, delete, truncate on ledger_transfer, audit_entry, closed_month from %I', current_user);
  execute format('revoke insert, delete, truncate on audit_head from %I', current_user);
  execute format('grant update (reference) on ledger_transfer to %I', current_user);
  execute format('grant update (before, after, who, ip, request_id, redaction_mark) on audit_entry to %I', current_user);
end $$;
