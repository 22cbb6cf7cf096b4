-- An installation without an admin has two set-up links. The second one remembers the admin whom the first has made.
alter table invitation add column first_admin_id uuid references console_user (id) on delete cascade;
drop index invitation_for_set_up;
create unique index invitation_for_set_up on invitation (made_by) where user_id is null;
