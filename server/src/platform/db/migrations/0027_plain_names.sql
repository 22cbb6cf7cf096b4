-- BREAKING: stop every process of the version before, migrate, start. Tables and columns have the names of the glossary.
-- From here on a version runs beside the one before.

alter table person rename to console_user;
alter table person_session rename to user_session;
alter table person_credential rename to user_credential;
alter table person_passkey rename to user_passkey;
alter table person_verification rename to user_verification;
alter table person_subaccount rename to user_subaccount;
alter table person_vouch rename to user_vouch;
alter table user_session rename column person_id to user_id;
alter table user_credential rename column person_id to user_id;
alter table user_passkey rename column person_id to user_id;
alter table user_subaccount rename column person_id to user_id;
alter table user_vouch rename column person_id to user_id;
alter table invitation rename column person_id to user_id;
alter table review_assignment rename column person_id to user_id;
alter table review_vote rename column person_id to user_id;
alter index person_email_taken rename to user_email_taken;

alter table receiver rename column kyc_heard_at_ms to kyc_reported_at_ms;
alter table receiver rename column kyc_wants_person to kyc_needs_review;

alter table endpoint rename to webhook_endpoint;
alter table endpoint_secret rename to webhook_endpoint_secret;
alter table webhook_endpoint rename column open_level to backoff_level;
alter table webhook_endpoint rename column strikes to failure_score;
alter table webhook_endpoint rename column failing_told to failing_reported;
alter table delivery_at_rest rename to delivery_abandoned;
alter table delivery_abandoned rename column rested_at_ms to abandoned_at_ms;

alter table tally_cursor rename to rollup_cursor;
alter table payout_tally rename to payout_rollup;
alter table payout_cause_tally rename to payout_failure_rollup;
alter table delivery_tally rename to delivery_rollup;
alter table delivery_tally_cursor rename to delivery_rollup_cursor;
