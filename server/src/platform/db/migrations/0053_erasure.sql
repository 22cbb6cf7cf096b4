-- Erasure of receivers: the journal of erasures, receivers that are erased, and audit entries whose content was removed.

-- A restored backup has erased receivers again, and the journal erases them once more. It holds no words of the
-- person: the hash of the email is keyed.
create table erasure (
  subaccount_id uuid not null,
  receiver_id   uuid not null,
  erased_at_ms  bigint not null,
  erased_by     text not null,
  email_hash    text not null,
  primary key (subaccount_id, receiver_id)
);

alter table receiver add column erased_at_ms bigint;

-- An entry keeps its hash when its content is removed. The mark proves that the service removed it.
alter table audit_entry add column redaction_mark text;

-- The service may not change transfers and audit entries. These functions run as the owner of the tables, and can do one
-- thing: remove words.
create function empty_transfer_references(of_subaccount uuid, of_payouts uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update ledger_transfer set reference = ''
  where subaccount_id = of_subaccount and payout_id = any(of_payouts) and reference <> ''
$$;

-- `entries` has the number and the mark of each entry, and whether its actor is removed too.
create function redact_audit_entries(entries json) returns void
language sql security definer set search_path = public, pg_temp as $$
  update audit_entry e
  set before = '{}', after = '{}', redaction_mark = r.mark,
      who = case when r.with_actor then '' else e.who end,
      ip = case when r.with_actor then '' else e.ip end,
      request_id = case when r.with_actor then '' else e.request_id end
  from json_to_recordset(entries) as r(number bigint, mark text, with_actor boolean)
  where e.number = r.number
$$;

do $$
begin
  execute format('grant update (reference) on ledger_transfer to %I', current_user);
  execute format('grant update (before, after, who, ip, request_id, redaction_mark) on audit_entry to %I', current_user);
end $$;
revoke execute on function empty_transfer_references(uuid, uuid[]) from public;
revoke execute on function redact_audit_entries(json) from public;
do $$
begin
  grant execute on function empty_transfer_references(uuid, uuid[]) to disburse_service;
  grant execute on function redact_audit_entries(json) to disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
