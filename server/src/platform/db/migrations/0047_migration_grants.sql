-- The service reads which migrations are applied. Only the owner of the tables records them.
do $$
begin
  revoke insert, update, delete, truncate on migration from disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
