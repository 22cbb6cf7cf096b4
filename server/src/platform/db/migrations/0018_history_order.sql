-- The order of a history doesn't depend on the clocks of processes: its entries are numbered under the lock of their row.

-- The creation is entry 1 and has no row of its own. No default is stored in existing rows, so nothing is rewritten.
alter table receiver add column history_entries int not null default 1;
alter table payout add column history_entries int not null default 1;

-- 0: written before this migration. Those come before all numbered ones, in the order of their ids.
alter table receiver_history add column number int not null default 0;
alter table payout_history add column number int not null default 0;

-- The version before this one doesn't number what it writes while it still runs beside the new one.
create function number_receiver_history() returns trigger language plpgsql as $$
begin
  update receiver set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.receiver_id
  returning history_entries into new.number;
  return new;
end $$;
create trigger number_receiver_history before insert on receiver_history
  for each row when (new.number = 0) execute function number_receiver_history();

create function number_payout_history() returns trigger language plpgsql as $$
begin
  update payout set history_entries = history_entries + 1
  where subaccount_id = new.subaccount_id and id = new.payout_id
  returning history_entries into new.number;
  return new;
end $$;
create trigger number_payout_history before insert on payout_history
  for each row when (new.number = 0) execute function number_payout_history();
