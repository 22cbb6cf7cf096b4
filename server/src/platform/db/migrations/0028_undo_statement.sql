-- A statement that calls it is undone as a whole. The SQLSTATE is our own, so that it is never taken for a failure.
create function undo_statement() returns int language plpgsql as $$
begin
  raise exception 'undone on purpose' using errcode = 'UN001';
end $$;
