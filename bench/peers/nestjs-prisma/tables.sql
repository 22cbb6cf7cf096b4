-- The tables of the peer, in a database of its own. The foreign keys are those that Disburse has too: each costs a lock of
-- the row that it names.

create table subaccount (
  id uuid primary key,
  webhook_url text not null default '',
  webhook_secret text not null default ''
);

create table api_key (
  key text primary key,
  secret text not null,
  subaccount_id uuid not null references subaccount
);

create table receiver (
  id uuid primary key,
  subaccount_id uuid not null,
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
  idempotency_key text,
  request_hash text,
  unique (subaccount_id, email_key),
  unique (subaccount_id, idempotency_key)
);

create table receiver_account (
  id uuid primary key,
  subaccount_id uuid not null,
  receiver_id uuid not null references receiver,
  currency text not null,
  status text not null,
  account_number text not null,
  bsb text not null
);

create table balance (
  subaccount_id uuid not null,
  currency text not null,
  available bigint not null check (available >= 0),
  held bigint not null check (held >= 0),
  primary key (subaccount_id, currency)
);

create table payout (
  id uuid primary key,
  subaccount_id uuid not null,
  receiver_id uuid not null,
  account_id uuid not null references receiver_account,
  amount bigint not null check (amount > 0),
  currency text not null,
  reference text not null,
  note text not null,
  status text not null,
  created_at_ms bigint not null,
  idempotency_key text,
  request_hash text,
  unique (subaccount_id, idempotency_key)
);

create table outbox_event (
  id uuid primary key,
  subaccount_id uuid not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_status integer,
  delivered_at timestamptz
);

create index outbox_event_due on outbox_event (next_attempt_at) where delivered_at is null;
