-- The balance before the first statement of a live bank connection waits for a second user. Discarding a file, and letting
-- finance approve, expire like the rest of what waits.

alter table bank_request drop constraint bank_request_kind_check;
alter table bank_request add constraint bank_request_kind_check
  check (kind in ('file', 'suspense', 'statement_line', 'csv_mapping', 'opening')) not valid;

-- When the first user asked for it. What waits already has its 30 days from now on.
alter table bank_batch add column discard_asked_at_ms bigint;
update bank_batch set discard_asked_at_ms = (extract(epoch from now()) * 1000)::bigint
where discard_by <> '' and status in ('frozen', 'approved', 'sending');
alter table installation add column finance_asked_at_ms bigint;
update installation set finance_asked_at_ms = (extract(epoch from now()) * 1000)::bigint where finance_asked_by is not null;
