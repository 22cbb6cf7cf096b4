-- Who uses the console: people, how they prove who they are, and where they are logged in.
--
-- People belong to the installation, so these tables are shared by all subaccounts. Times are written by the
-- database or by the library that logs people in, which knows them as dates.

create table person (
  id             uuid        primary key,
  name           text        not null,
  -- In lower case: an address is taken once, whatever its case.
  email          text        not null constraint person_email_taken unique check (email = lower(email)),
  -- Whoever invited the person vouches for the address.
  email_verified boolean     not null default true,
  image          text,
  role           text        not null check (role in ('admin', 'operator', 'finance', 'developer')),
  subaccount_id  uuid        references subaccount,
  disabled_at    timestamptz,
  -- The last time. Null: was invited and has not come yet.
  logged_in_at   timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint person_developer_has_one_subaccount check ((role = 'developer') = (subaccount_id is not null))
);

create table person_session (
  id         uuid        primary key,
  person_id  uuid        not null references person on delete cascade,
  -- In the cookie it comes with a signature that needs the master key: the row alone opens nothing.
  token      text        not null unique,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  seen_at    timestamptz not null default now(),
  -- When the person last proved who it is.
  proven_at  timestamptz not null default now()
);
create index person_session_of_person on person_session (person_id);
create index person_session_expiry on person_session (expires_at);

-- A password's hash, or an account at the company's identity provider.
create table person_credential (
  id                       uuid        primary key,
  person_id                uuid        not null references person on delete cascade,
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
create index person_credential_of_person on person_credential (person_id);

create table person_passkey (
  id            uuid        primary key,
  person_id     uuid        not null references person on delete cascade,
  name          text,
  credential_id text        not null unique,
  public_key    text        not null,
  counter       bigint      not null,
  device_type   text        not null,
  backed_up     boolean     not null,
  transports    text,
  aaguid        text,
  created_at    timestamptz
);
create index person_passkey_of_person on person_passkey (person_id);

-- Challenges that wait for their answer.
create table person_verification (
  id         uuid        primary key,
  identifier text        not null,
  value      text        not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index person_verification_identifier on person_verification (identifier);
create index person_verification_expiry on person_verification (expires_at);

-- A link that lets somebody choose a password, once. Of the link only a hash is kept.
create table invitation (
  token_hash bytea       primary key,
  -- Null: the set-up link, by which the first admin comes in. There is one at most.
  person_id  uuid        unique references person on delete cascade,
  made_by    text        not null,
  created_at timestamptz not null default now(),
  -- Null: until it is used.
  expires_at timestamptz
);
create unique index invitation_for_set_up on invitation ((true)) where person_id is null;

-- Attempts to log in that have not succeeded, by address and by e-mail, so that guessing is slow whichever
-- process is asked. Of both only a keyed hash is kept.
create table login_failure (
  source   text        primary key,
  failures int         not null,
  since    timestamptz not null
);
create index login_failure_since on login_failure (since);
