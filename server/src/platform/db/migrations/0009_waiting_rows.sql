-- Rows of an imported file that are not refused: they wait for a new receiver, or for the account that is proposed by change_id.
-- equal_before: how many equal rows of the file come first, which is part of the key that a row is paid under.
alter table file_import_refusal add column is_waiting boolean default false not null;
alter table file_import_refusal add column change_id uuid;
alter table file_import_refusal add column equal_before integer default 0 not null;
