-- Tokens for /operator/v1. A token acts as the admin who made it.
create table operator_token (
  id uuid primary key,
  name text not null,
  secret_hash bytea not null,
  user_id uuid not null references console_user (id) on delete cascade,
  role text not null,
  subaccount_ids uuid[],
  addresses text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  awaiting_approval boolean not null,
  approved_by text not null default '',
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint operator_token_name_key unique (name),
  constraint operator_token_secret_key unique (secret_hash)
);
create index operator_token_waiting on operator_token (created_at) where awaiting_approval and revoked_at is null;

-- Responses to requests with an Idempotency-Key under /operator/v1.
create table operator_answer (
  token_id uuid not null,
  key text not null,
  request_hash text not null,
  -- The request that does it. Another one takes over when this one has died.
  request_id uuid not null,
  claimed_at_ms bigint not null,
  -- Set in the transaction of the change.
  is_done boolean not null default false,
  answer bytea,
  expires_at_ms bigint not null,
  primary key (token_id, key)
);
create index operator_answer_expiry on operator_answer using brin (expires_at_ms);

-- The token with which it was done. Null: with a browser, or by a command.
alter table audit_entry add column token text;
