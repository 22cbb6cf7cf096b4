// Payouts of a year in every stage, of several currencies, to many receivers, by API keys and by users. Each kind fills
// a page among ten thousand payouts, so that pages of larger sets are not longer.

import { type Database, settle } from "./database.ts";
import type { Payer } from "./payees.ts";
import { progressBar } from "./progress.ts";

const chunk = 20_000;
const receivers = 100;
const yearMs = 31_536_000_000;
const eventsOfMs = yearMs / 12;

/** The actor of the payouts that a user created. */
export const person = "operator:ana@example.com";

export async function addVariedPayouts(database: Database, payer: Payer, count: number) {
  const { db } = database;
  const { caller, receiverId, accountId } = payer;
  const { subaccountId } = caller;
  await db.pool.query(addBalances, [subaccountId]);
  await db.pool.query(addPayees, [subaccountId, receiverId, accountId, receivers]);
  const bar = progressBar(`${count} payouts`, count);
  const nowMs = Date.now();
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    await db.pool.query(addPayouts, [subaccountId, done + 1, last, count, nowMs]);
    bar(last);
  }
  await settle(db);
}

const addBalances = `
  insert into ledger_balance (subaccount_id, currency) values ($1, 'NZD'), ($1, 'USD')`;

/** Copies the receiver and its account, each with its own ids and email. */
const addPayees = `
  with wanted as materialized (
    select gen_random_uuid() as receiver_id, gen_random_uuid() as account_id, n
    from generate_series(1, $4::int) as n
  ), receivers as (
    insert into receiver
    select (jsonb_populate_record(null::receiver, to_jsonb(r) || jsonb_build_object('id', w.receiver_id,
      'email', n || '@example.com', 'email_key', n || '@example.com'))).*
    from receiver r cross join wanted w where r.subaccount_id = $1 and r.id = $2
  ), accounts as (
    insert into receiver_account
    select (jsonb_populate_record(null::receiver_account, to_jsonb(a) || jsonb_build_object('id', w.account_id,
      'receiver_id', w.receiver_id))).*
    from receiver_account a cross join wanted w where a.subaccount_id = $1 and a.id = $3
  )
  insert into bank_details
  select (jsonb_populate_record(null::bank_details, to_jsonb(d) || jsonb_build_object('account_id', w.account_id))).*
  from bank_details d cross join wanted w where d.subaccount_id = $1 and d.account_id = $3`;

/** Each payout of the last month has a delivered event. */
const addPayouts = `
  with accounts as materialized (
    select array_agg(id order by id) as ids, array_agg(receiver_id order by id) as receiver_ids, count(*)::int
    from receiver_account where subaccount_id = $1
  ), made as materialized (
    select n, at_ms, overlay(first_id_of(at_ms)::text placing '7' || substr(gen_random_uuid()::text, 16) from 15)::uuid as id,
      case when n % 50 = 0 then 'submitted' when n % 40 = 1 then 'rejected' when n % 100 = 2 then 'cancelled'
        when n % 150 = 3 then 'returned' when n % 170 = 4 then 'queued' when n % 190 = 5 then 'awaiting_approval'
        else 'settled' end as stage
    from generate_series($2::int, $3::int) as n
    cross join lateral (
      select $5::bigint - (${yearMs}::float8 * ($4::int - n) / $4::int)::bigint as at_ms
    ) t
  ), payouts as (
    insert into payout (subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount, currency,
      reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
      created_by)
    select $1::uuid, id, overlay(first_id_of((n / 200)::bigint)::text placing '7' from 15)::uuid,
      receiver_ids[1 + n % count], ids[1 + n % count], 1, 100 + n::bigint * 7919 % 100000,
      case when n % 180 = 6 then 'USD' when n % 60 = 41 then 'NZD' else 'AUD' end, md5(n::text), '',
      case when stage in ('awaiting_approval', 'queued', 'submitted') then 'pending'
        when stage = 'settled' then 'successful' else 'failed' end,
      stage, '', '', 'sandbox', 'x', at_ms, at_ms + 60000,
      case when n % 150 = 8 then '${person}' else 'key:bench' end
    from made cross join accounts
  )
  insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
  select $1::uuid, first_id_of(at_ms + 60000), id, 'payoutUpdate', '{}', at_ms + 60000, true
  from made where at_ms > $5::bigint - ${eventsOfMs}
  on conflict do nothing`;
