-- Files that banks put into a folder on their SFTP server: how far the polling of each folder is, and what became of each file.

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
