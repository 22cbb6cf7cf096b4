-- The cell that this database belongs to. New API keys carry its name; the default cell has none.

alter table installation add column cell text not null default '' check (cell ~ '^[a-z0-9]{0,8}$');
