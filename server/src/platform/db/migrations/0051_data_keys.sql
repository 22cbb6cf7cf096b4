-- Data keys encrypt values, and a key service (a local master key or Vault) wraps them. The table is empty until the first
-- rotation: until then every value is under the master key itself, and the version before can read it.

create table data_key (
  id          text        primary key check (id ~ '^[0-9a-f]{8}$'),
  -- As the key service returned it, with its prefix: `local:…` or `vault:…`.
  wrapped     text        not null,
  state       text        not null check (state in ('announced', 'current', 'old')),
  -- The key of values without a key id, and of all derived secrets.
  is_original boolean     not null default false,
  -- Rises with each change that processes must load. They hold a lock of the generation that they have loaded.
  generation  bigint      not null check (generation > 0),
  created_at  timestamptz not null default now(),
  -- When no value under this old key was found any more.
  emptied_at  timestamptz,
  -- Of the current key: values under old keys that the rotation has still to encrypt again.
  values_left bigint
);

create unique index data_key_current on data_key (state) where state = 'current';
create unique index data_key_announced on data_key (state) where state = 'announced';
create unique index data_key_original on data_key (is_original) where is_original;
