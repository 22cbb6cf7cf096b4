-- A session of the command line, by the name of its computer. Null: of a browser.
alter table user_session add column client text;

-- A command line that asks to sign in. The user confirms its code at the console.
create table login_request (
  id uuid primary key,
  device_hash bytea not null,
  code_hash bytea not null,
  client text not null,
  ip_address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  user_id uuid references console_user (id) on delete cascade,
  declined_at timestamptz,
  constraint login_request_device_key unique (device_hash),
  constraint login_request_code_key unique (code_hash)
);
create index login_request_expiry on login_request (expires_at);
