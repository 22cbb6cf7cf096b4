-- Files of accounts are imported at the console, as those of payouts and receivers.
alter table file_import drop constraint file_import_kind_check,
  add constraint file_import_kind_check check (kind in ('payouts', 'receivers', 'accounts', 'retry'));
alter table import_mapping drop constraint import_mapping_kind_check,
  add constraint import_mapping_kind_check check (kind in ('payouts', 'receivers', 'accounts'));
