-- Metadata: keys and values of the caller, on receivers, accounts, payouts and payout batches. They are in the clear, as
-- references are: lists are filtered by them, and events carry them on request. Erasure empties them.
alter table receiver add column metadata json;
alter table receiver_account add column metadata json;
alter table payout add column metadata json;

-- Only payout batches that have metadata. All others are known by their payouts alone.
create table payout_batch (
  subaccount_id uuid not null,
  id uuid not null,
  metadata json,
  primary key (subaccount_id, id)
);

-- Lists are filtered by it: a hash of the kind of object, a key and its value.
create table metadata_entry (
  subaccount_id uuid not null,
  hash bytea not null,
  object_id uuid not null,
  primary key (subaccount_id, hash, object_id)
);
create index metadata_entry_of_object on metadata_entry (subaccount_id, object_id);

-- Whether events carry the metadata of their object.
alter table subaccount add column event_metadata boolean not null default false;

-- The body of an event, with the metadata of its object at the end.
create function body_with_metadata(subaccount uuid, object uuid, body text) returns text language sql stable as $$
  select coalesce(left(body, -1) || ',"metadata":' || (
    select p.metadata from payout p where p.subaccount_id = subaccount and p.id = object
    union all select r.metadata from receiver r where r.subaccount_id = subaccount and r.id = object
    union all select a.metadata from receiver_account a where a.subaccount_id = subaccount and a.id = object
  )::text || '}', body)
$$;
