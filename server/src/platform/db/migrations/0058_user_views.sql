-- Views that users save of the console's lists: filters, sort and columns. They belong to the user, not to a subaccount.

create table user_view (
  user_id    uuid not null references console_user (id) on delete cascade,
  list       text not null,
  name       text not null,
  -- The parameters of the list's address, by name. None of them holds words of a person.
  search     jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, list, name)
);
