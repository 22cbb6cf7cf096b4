-- A payout to a new account looks for users who count as an admin that was disabled: they are found by the admin.
create index user_vouch_unconfirmed on user_vouch (voucher) where confirmed_at_ms is null;
