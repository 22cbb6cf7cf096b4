-- The foundation: who calls (subaccounts and their keys), whom they pay (receivers and accounts),
-- and what may happen only once (nonces).
--
-- Every table that holds a subaccount's data has subaccount_id first in its key, so that rows of one
-- subaccount lie together and the tables can be distributed by it. The small tables that are looked up
-- before a subaccount is known (installation, subaccount, api_key, api_secret) are shared by all.

create table installation (
  only_row         boolean primary key default true check (only_row),
  merchant_id      uuid   not null,
  -- A sealed constant: a wrong master key is noticed at the start, not in the middle of a payout.
  master_key_check bytea  not null,
  -- Grows with every change of a key. Processes compare it to know whether their cache still holds.
  keys_version     bigint not null default 0
);

create table subaccount (
  id                     uuid   primary key,
  mode                   text   not null check (mode in ('test', 'live')),
  suba_name              text   not null,
  title                  text   not null default '',
  first_name             text   not null default '',
  last_name              text   not null default '',
  email                  text   not null default '',
  dob                    text   not null default '',
  kassi_status           text   not null default 'ACCEPTED',
  business_name          text   not null default '',
  business_or_individual text   not null default 'B' check (business_or_individual in ('B', 'I')),
  support_email          text   not null default '',
  mobile_dialcode        text   not null default '',
  mobile                 text   not null default '',
  home_dialcode          text   not null default '',
  home_telephone         text   not null default '',
  address                text   not null default '',
  suburb                 text   not null default '',
  state                  text   not null default '',
  country                text   not null default '',
  postcode               text   not null default '',
  has_passed_kyc         text   not null default 'N/A',
  kyc_status             text   not null default 'pending'
                                check (kyc_status in ('pending', 'completed', 'failed')),
  postback_url           text   not null default '',
  sms_provider           text   not null default '',
  email_provider         text   not null default '',
  created_at_ms          bigint not null,
  closed_at              timestamptz
);

create table api_key (
  key           text        primary key,
  subaccount_id uuid        not null references subaccount,
  name          text        not null,
  scopes        text[]      not null check (scopes <@ array['read', 'write', 'payout'] and scopes <> '{}'),
  addresses     text[]      not null default '{}',
  version2_only boolean     not null default false,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz
);
create index api_key_of_subaccount on api_key (subaccount_id);

create table api_secret (
  key          text        not null references api_key,
  id           uuid        not null,
  sealed       bytea       not null,
  created_at   timestamptz not null default now(),
  -- Set by a rotation: the end of the grace.
  expires_at   timestamptz,
  last_used_at timestamptz,
  primary key (key, id)
);

create table api_nonce (
  subaccount_id uuid   not null,
  key           text   not null,
  nonce         text   not null,
  request_id    uuid   not null,
  expires_at_ms bigint not null,
  primary key (subaccount_id, key, nonce)
);
create index api_nonce_expiry on api_nonce (expires_at_ms);

create table receiver (
  subaccount_id uuid   not null,
  -- A UUID of version 7 that was made with created_at_ms, so that ordering by id is ordering by age.
  id            uuid   not null,
  first_name    text   not null,
  last_name     text   not null,
  middle_name   text   not null,
  email         text   not null,
  email_key     text   not null,
  gender        text   not null,
  dob           text   not null,
  dialcode      text   not null,
  phone         text   not null,
  address       text   not null,
  address2      text   not null,
  city          text   not null,
  state         text   not null,
  postcode      text   not null,
  country       text   not null,
  reference     text   not null,
  applicant_id  text   not null,
  status        text   not null check (status in ('creating', 'pending', 'active', 'inactive', 'failed')),
  kyc_status    text   not null check (kyc_status in ('pending', 'completed', 'failed')),
  created_at_ms bigint not null,
  primary key (subaccount_id, id),
  constraint receiver_email_taken unique (subaccount_id, email_key)
);
-- Serves every filter: a page reads one short range per pair of states and merges them.
create index receiver_by_state on receiver (subaccount_id, status, kyc_status, id);

create table receiver_account (
  subaccount_id                uuid   not null,
  id                           uuid   not null,
  receiver_id                  uuid   not null,
  aka                          text   not null default '',
  occupation                   text   not null default '',
  reference                    text   not null default '',
  home_dialcode                text   not null default '',
  home_phone                   text   not null default '',
  individual_or_business       text   not null check (individual_or_business in ('I', 'B')),
  abn                          text   not null default '',
  nzbn                         text   not null default '',
  acn                          text   not null default '',
  address                      text   not null default '',
  address2                     text   not null default '',
  city                         text   not null default '',
  state                        text   not null default '',
  country                      text   not null default '',
  postcode                     text   not null default '',
  account_number_sealed        bytea  not null,
  bank_code                    text   not null default '',
  bsb                          text   not null default '',
  receiver_accepted            boolean not null default false,
  receiver_address_accepted    boolean not null default false,
  receiver_address_outcome     text,
  created_at_ms                bigint not null,
  primary key (subaccount_id, id),
  foreign key (subaccount_id, receiver_id) references receiver
);
create index receiver_account_of_receiver on receiver_account (subaccount_id, receiver_id, id);
