-- A statement line that may repeat an earlier one waits for a user, and a reported return says in what kind of file it came.

alter table bank_statement_line drop constraint bank_statement_line_status_check;
alter table bank_statement_line add constraint bank_statement_line_status_check
  check (status in ('open', 'matched', 'suspended', 'noted', 'doubtful', 'repeated')) not valid;

-- The earlier line that a doubtful or repeated one may repeat.
alter table bank_statement_line add column repeats_id uuid references bank_statement_line (id);

-- returns, notification or statement. Rows of earlier versions have none: there the file's format says it.
alter table bank_inbound_line add column source text;
