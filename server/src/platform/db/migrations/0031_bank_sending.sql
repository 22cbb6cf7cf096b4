-- How the files of a bank connection travel, and how far the sending of each is.

-- The settings of SFTP hold a password or a private key, so they are encrypted.
alter table bank_connection
  add column travels text not null default 'download' check (travels in ('download', 'sftp')),
  add column sftp_sealed bytea,
  add constraint bank_connection_sftp check ((travels = 'sftp') = (sftp_sealed is not null));

-- A file that the service sends itself. Once it may have left, address, name and bytes never change: sending it again
-- means the same bytes under the same name.
create table bank_batch_send (
  batch_id       uuid    primary key references bank_batch,
  -- The process that sends it, until after_ms. Null: none does, and it is tried again after after_ms.
  token          uuid,
  -- Null: a user has to act.
  after_ms       bigint,
  tries          integer not null default 0,
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
  batch_id uuid    not null references bank_batch,
  number   integer not null,
  bytes    bytea   not null,
  primary key (batch_id, number)
);
