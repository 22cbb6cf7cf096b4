-- The role compliance. No user gets it here. The version before gives a user with a role that it does not know no permission.

alter table console_user
  drop constraint person_role_check,
  add constraint person_role_check
    check (role in ('admin', 'operator', 'approver', 'finance', 'developer', 'auditor', 'compliance'));
