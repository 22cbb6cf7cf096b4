-- The overview and the reconciliation: what the books and the deliveries add up to by time, so that no page has to add
-- up two million payouts. Everything here but closed_month can be made anew from the tables it is taken from.

-- The millisecond at which an id was made: the other way round than first_id_of.
create function ms_of_id(id uuid) returns bigint language sql immutable parallel safe as
  $$ select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint $$;

-- How far each purse is added up. Transfers count up without a gap and are never changed, so one number says it all.
create table tally_cursor (
  subaccount_id uuid   not null,
  currency      text   not null,
  number        bigint not null default 0,
  -- The latest time so far: a transfer may carry one a little earlier than the transfer before it.
  latest_ms     bigint not null default 0,
  -- Payouts that are neither paid nor failed.
  in_flight     bigint not null default 0,
  -- What is in each account by the transfers alone.
  available     bigint not null default 0,
  held          bigint not null default 0,
  clearing      bigint not null default 0,
  returns       bigint not null default 0,
  fees          bigint not null default 0,
  primary key (subaccount_id, currency)
);

-- Payouts by the time at which they were made, in hours and in quarters of an hour: the days of every time zone can be put
-- together of them.
create table payout_tally (
  subaccount_id   uuid   not null,
  span_ms         int    not null check (span_ms in (900000, 3600000)),
  start_ms        bigint not null,
  currency        text   not null,
  created         bigint not null,
  created_amount  bigint not null,
  -- Also those that came back since.
  paid            bigint not null,
  paid_amount     bigint not null,
  returned        bigint not null,
  returned_amount bigint not null,
  -- Before they were paid.
  failed          bigint not null,
  failed_amount   bigint not null,
  -- How many of those that were paid took how long, by the bounds of the histogram.
  took            int[]  not null,
  -- By the time at which it happened: what was paid then, whenever it was asked for.
  out             bigint not null,
  out_amount      bigint not null,
  primary key (subaccount_id, span_ms, start_ms, currency)
);

-- Failed payouts by the time at which they were made, and by why.
create table payout_cause_tally (
  subaccount_id uuid   not null,
  span_ms       int    not null check (span_ms in (900000, 3600000)),
  start_ms      bigint not null,
  currency      text   not null,
  -- In words, and the bank's code where it gave one.
  cause         text   not null,
  cause_code    text   not null,
  failed        bigint not null,
  failed_amount bigint not null,
  primary key (subaccount_id, span_ms, start_ms, currency, cause)
);

-- The books by day of UTC. A day ends with the last transfer before the first one of a later day, so days are pieces of
-- the row of numbers, and the end of one is the beginning of the next.
create table ledger_day (
  subaccount_id uuid   not null,
  currency      text   not null,
  day_ms        bigint not null,
  last_number   bigint not null,
  available     bigint not null,
  held          bigint not null,
  clearing      bigint not null,
  returns       bigint not null,
  fees          bigint not null,
  primary key (subaccount_id, currency, day_ms)
);

create table ledger_day_kind (
  subaccount_id uuid   not null,
  currency      text   not null,
  day_ms        bigint not null,
  kind          text   not null,
  transfers     bigint not null,
  amount        bigint not null,
  primary key (subaccount_id, currency, day_ms, kind)
);

-- Attempts to deliver, by their time.
create table delivery_tally (
  subaccount_id uuid   not null,
  span_ms       int    not null check (span_ms in (900000, 3600000)),
  start_ms      bigint not null,
  -- Heard at the first attempt, heard at a later one, not heard.
  ok            bigint not null,
  retried       bigint not null,
  failed        bigint not null,
  took          int[]  not null,
  primary key (subaccount_id, span_ms, start_ms)
);

create table delivery_tally_cursor (
  subaccount_id uuid not null,
  -- All attempts before this id are added up.
  before_id     uuid not null,
  primary key (subaccount_id)
);
create index if not exists delivery_attempt_by_time on delivery_attempt (subaccount_id, id);

-- Months that somebody has closed, with the figures that were agreed on. Append only, as the books are.
create table closed_month (
  subaccount_id uuid   not null,
  currency      text   not null,
  month         text   not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The transfers of the month: after the first number, up to the second. Both the same: there are none.
  after_number  bigint not null,
  last_number   bigint not null check (last_number >= after_number),
  opening       bigint not null,
  funded        bigint not null,
  paid          bigint not null,
  returned      bigint not null,
  fees          bigint not null,
  reversed      bigint not null,
  closing       bigint not null check (closing = opening + funded - paid + returned - fees - reversed),
  -- What the closing balance is made of.
  available     bigint not null,
  held          bigint not null,
  clearing      bigint not null,
  returns       bigint not null,
  closed_at_ms  bigint not null,
  closed_by     text   not null,
  check (closing = available + held + clearing + returns),
  primary key (subaccount_id, currency, month)
);

do $$
begin
  revoke update, delete, truncate on closed_month from disburse_service;
exception
  when undefined_object or insufficient_privilege then null;
end $$;
do $$
begin
  execute format('revoke update, delete, truncate on closed_month from %I', current_user);
end $$;
