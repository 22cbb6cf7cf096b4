-- Fees: what a bank connection charges for a payout, and what each payout was charged.

alter table bank_connection
  -- Minor units.
  add column fee_fixed bigint check (fee_fixed > 0),
  add column fee_min bigint check (fee_min > 0),
  add column fee_max bigint check (fee_max > 0),
  -- Of the amount, as a decimal with at most 4 places.
  add column fee_percent text check (fee_percent ~ '^\d{1,2}(\.\d{1,4})?$'),
  add column fee_bearer text check (fee_bearer in ('subaccount', 'receiver')),
  -- Without a fixed fee and a percentage there is no fee, and no field of it.
  add constraint bank_connection_fee check (
    (fee_bearer is null) = (fee_fixed is null and fee_percent is null)
    and (fee_bearer is not null or (fee_min is null and fee_max is null))
    and (fee_min is null or fee_max is null or fee_min <= fee_max));

-- Null: no fee, and the whole amount goes to the bank. So payouts without a fee need no space for it.
alter table payout
  add column fee bigint,
  add column sent_amount bigint,
  -- Not valid, because checking every payout would lock the table. New rows are checked.
  add constraint payout_fee check (fee > 0) not valid,
  add constraint payout_sent_amount check (
    sent_amount is null or (fee is not null and sent_amount > 0 and sent_amount = amount - fee)) not valid;
