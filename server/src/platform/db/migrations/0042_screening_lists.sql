-- Sanctions lists: every version of a list, and its entries, each with the sets in which it is in force.

-- Each activation of a version makes a set: the active versions of all lists together.
create table screening_set (
  id       bigint generated always as identity primary key,
  -- The id of the active version by list.
  versions jsonb  not null,
  at_ms    bigint not null
);

create table screening_list_version (
  -- A UUID of version 7.
  id            uuid    primary key,
  list          text    not null,
  -- SHA-256 of the publisher's files.
  hash          text    not null,
  -- The version of our reader: a better reader finds more in the same file.
  reader        integer not null,
  -- YYYY-MM-DD; empty where the files don't say it.
  published_day text    not null,
  entries       integer not null,
  names         integer not null,
  -- Compared with the version that was active before.
  added         integer not null,
  changed       integer not null,
  removed       integer not null,
  status        text    not null check (status in ('waiting', 'active', 'declined', 'replaced')),
  made_by       text    not null,
  at_ms         bigint  not null,
  decided_by    text    not null default '',
  decided_at_ms bigint,
  -- The first set with this version.
  set_id        bigint  references screening_set
);
create unique index screening_list_version_active on screening_list_version (list) where status = 'active';
create unique index screening_list_version_waiting on screening_list_version (list) where status = 'waiting';
create index screening_list_version_of_hash on screening_list_version (list, hash);

-- The entries of set s have from_set <= s and (to_set is null or to_set > s).
create table screening_entry (
  list     text   not null,
  key      text   not null,
  from_set bigint not null references screening_set,
  to_set   bigint references screening_set,
  hash     text   not null,
  entry    jsonb  not null,
  primary key (list, key, from_set),
  check (to_set > from_set)
);
create unique index screening_entry_current on screening_entry (list, key) where to_set is null;
create index screening_entry_from_set on screening_entry (from_set);
create index screening_entry_to_set on screening_entry (to_set) where to_set is not null;

-- The entries of a version that waits for a second person.
create table screening_waiting_entry (
  version_id uuid  not null references screening_list_version,
  key        text  not null,
  hash       text  not null,
  entry      jsonb not null,
  primary key (version_id, key)
);

-- Embargoed countries are a list like the others. These three are the default.
with day_one as (
  insert into screening_set (versions, at_ms)
  values ('{"embargo": "01938f00-0000-7000-8000-000000000042"}', (extract(epoch from now()) * 1000)::bigint)
  returning id, at_ms
), version as (
  insert into screening_list_version (id, list, hash, reader, published_day, entries, names, added, changed, removed,
    status, made_by, at_ms, decided_by, decided_at_ms, set_id)
  select '01938f00-0000-7000-8000-000000000042', 'embargo',
    '415b18a70e6a6a976647407ee09039ee56a568e74d26cc21620562ae532fd307', 1, '', 3, 3, 3, 0, 0,
    'active', 'service', at_ms, 'service', at_ms, id
  from day_one
)
insert into screening_entry (list, key, from_set, hash, entry)
select 'embargo', entry ->> 'key', day_one.id, hash, entry
from day_one, (values
  ('a7e048f36c22abf544dc67aeeaab6a1cd99fc285e82fcac082235a3fdfdc18af', '{"key": "CUB", "kind": "country",
    "names": [{"text": "Cuba", "isWeak": false}], "birthDates": [], "countries": ["CUB"],
    "program": "Cuban Assets Control Regulations, 31 CFR part 515", "remarks": "Since 1963-07-08"}'::jsonb),
  ('db45b233be9908723d035312b48222017650f9768c24a407a56c44b265a6a2bf', '{"key": "IRN", "kind": "country",
    "names": [{"text": "Iran", "isWeak": false}], "birthDates": [], "countries": ["IRN"],
    "program": "Iranian Transactions and Sanctions Regulations, 31 CFR part 560", "remarks": "Since 2012-10-22"}'::jsonb),
  ('38c27ebf435e78deece4abb915771ab6234b0e31d84a9f2e95d36c4d06a892c8', '{"key": "PRK", "kind": "country",
    "names": [{"text": "North Korea", "isWeak": false}], "birthDates": [], "countries": ["PRK"],
    "program": "North Korea Sanctions Regulations, 31 CFR part 510", "remarks": "Since 2018-03-05"}'::jsonb)
) as seed (hash, entry);
