-- A restored copy, or one that was moved to another database, delivers and pays nothing until it is released.

alter table installation
  add column quarantined_at timestamptz,
  add column quarantine_reason text check (quarantine_reason in ('restored', 'moving', 'moved')),
  add constraint installation_quarantine_check check ((quarantined_at is null) = (quarantine_reason is null));
