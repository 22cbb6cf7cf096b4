-- A rotated secret waits for a second user as a new key does, and every request that waits expires.

-- Such a secret is not accepted yet. Until it is approved, its expires_at is in the past, so that the version before
-- does not accept it either.
alter table api_secret add column awaiting_approval boolean not null default false;

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check
  check (kind in ('key', 'rotation', 'limits', 'erasure'));
alter table change_request drop constraint change_request_status_check;
alter table change_request add constraint change_request_status_check
  check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired'));
alter table bank_details_change drop constraint bank_details_change_status_check;
alter table bank_details_change add constraint bank_details_change_status_check
  check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired'));
alter table bank_connection_request drop constraint bank_connection_request_status_check;
alter table bank_connection_request add constraint bank_connection_request_status_check
  check (status in ('waiting', 'applied', 'declined', 'withdrawn', 'expired'));
alter table payout_rule_set drop constraint payout_rule_set_status_check;
alter table payout_rule_set add constraint payout_rule_set_status_check
  check (status in ('proposed', 'active', 'replaced', 'declined', 'expired'));
alter table screening_list_version drop constraint screening_list_version_status_check;
alter table screening_list_version add constraint screening_list_version_status_check
  check (status in ('waiting', 'active', 'declined', 'replaced', 'expired'));
