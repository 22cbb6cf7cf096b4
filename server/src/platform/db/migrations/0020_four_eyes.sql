-- Four eyes: more roles, who has seen which secret, who let whom in, and changes that wait for a second person.

alter table person drop constraint person_role_check;
alter table person add constraint person_role_check
  check (role in ('admin', 'operator', 'approver', 'finance', 'developer', 'auditor'));

-- The subaccounts of a developer. person.subaccount_id stays the first of them, for the version before; where
-- that version changed it, the rows here are no longer valid.
create table person_subaccount (
  subaccount_id uuid not null references subaccount,
  person_id     uuid not null references person on delete cascade,
  primary key (subaccount_id, person_id)
);
create index person_subaccount_of_person on person_subaccount (person_id);
insert into person_subaccount (subaccount_id, person_id)
  select subaccount_id, id from person where subaccount_id is not null;

-- Who invited a person, reset the log-in or changed the role at the console, and when last. For a day the two
-- count as one person.
create table person_vouch (
  person_id uuid   not null references person on delete cascade,
  voucher   text   not null,
  at_ms     bigint not null,
  primary key (person_id, voucher)
);

-- Two admins may let the role finance approve payouts and bank details.
alter table installation add column finance_may_approve boolean not null default false;
alter table installation add column finance_asked_by text;

-- Who has seen a secret of a key can't approve what the key made.
create table api_secret_seen (
  key     text        not null references api_key,
  who     text        not null,
  seen_at timestamptz not null default now(),
  primary key (key, who)
);
insert into api_secret_seen (key, who)
  select k.key, a.who from audit_entry a join api_key k on k.key = a.object_id
  where a.object_kind = 'api_key' and a.action in ('key.create', 'key.rotate')
  union
  select k.key, a.who from audit_entry a join api_key k on k.subaccount_id = a.subaccount_id and k.name = 'first'
  where a.action = 'subaccount.create';

-- Such a key is not accepted yet.
alter table api_key add column awaiting_approval boolean not null default false;

alter table api_key drop constraint api_key_scopes_check;
alter table api_key add constraint api_key_scopes_check
  check (scopes <@ array['read', 'write', 'payout', 'bank_details'] and scopes <> '{}');
-- A key that could change bank details until now still can. New keys can when it is asked for.
update api_key set scopes = array_append(scopes, 'bank_details') where 'write' = any(scopes);

-- A key that is to be activated, or limits that are to be loosened, each to be decided by another person.
create table change_request (
  subaccount_id uuid   not null,
  -- A UUID of version 7 that was made with made_at_ms.
  id            uuid   not null,
  kind          text   not null check (kind in ('key', 'limits')),
  -- The key, or the currency.
  object_id     text   not null,
  -- What it is about, as people see it: fields with their values before and after.
  before        jsonb  not null,
  after         jsonb  not null,
  made_by       text   not null,
  made_at_ms    bigint not null,
  -- From then on also the person who asked may apply it. Null: never.
  alone_at_ms   bigint,
  status        text   not null default 'waiting'
                check (status in ('waiting', 'applied', 'declined', 'withdrawn')),
  decided_by    text   not null default '',
  decided_at_ms bigint,
  primary key (subaccount_id, id)
);
create index change_request_waiting on change_request (id) include (subaccount_id) where status = 'waiting';
create unique index change_request_one_waiting on change_request (subaccount_id, kind, object_id)
  where status = 'waiting';
