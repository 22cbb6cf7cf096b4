// The SQL of facts as they were when a payout was decided: from histories, versions and decisions, which all have a time.

import type { PayeeNameOutcome } from "../../people/payee-checks/index.ts";
import { firstIdOf, idTimeMs } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import type { BacktestBalance, PastPayout } from "./backtest-queries.ts";

/** The payouts of one subaccount and currency whose facts are read. */
const input = `(select $2::text as currency, given.*
     from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::int[], $7::bigint[], $8::bigint[], $9::uuid[])
       as given(id, receiver_id, account_id, account_version, at_ms, number, until_id)) input`;

/** Ids are made before the lock of the balance: an earlier payout can have a later id, but not by more than this. */
const slackMs = 600_000;

const valuesOf = (
  { subaccountId, currency }: BacktestBalance,
  payouts: readonly PastPayout[],
): unknown[] => [
  subaccountId,
  currency,
  payouts.map(({ id }) => id),
  payouts.map(({ receiverId }) => receiverId),
  payouts.map(({ accountId }) => accountId),
  payouts.map(({ accountVersion }) => accountVersion),
  payouts.map(({ createdAtMs }) => createdAtMs),
  payouts.map(({ number }) => number),
  payouts.map(({ id }) => firstIdOf(idTimeMs(id) + slackMs)),
];

/** SQL: the stage of the payout `e` at the time of the input. */
const stageThen = `coalesce(
    (select h.to_stage from payout_history h
     where h.subaccount_id = $1 and h.payout_id = e.id and h.at_ms <= input.at_ms order by h.number desc limit 1),
    (select h.from_stage from payout_history h
     where h.subaccount_id = $1 and h.payout_id = e.id order by h.number limit 1),
    e.stage)`;

/**
 * SQL: whether the payout `e` was decided before that of the input. The numbers of a balance are the order of its
 * decisions; payouts in another currency were decided under another lock.
 */
const wasEarlier = `(case when e.currency = input.currency
    then (select t.number from ledger_transfer t
          where t.subaccount_id = $1 and t.payout_id = e.id and t.kind = 'hold') < input.number
    else e.id < input.id end)`;

/** SQL: it was queued, in a bank file, sent or paid at that time. */
const wasLetThrough = `${stageThen} in ('queued', 'batched', 'submitted', 'settled')`;

const firstPayouts = statement<{ id: string; is_first: boolean }>(
  "backtest-first-payouts",
  `select input.id, not exists (
     select from payout e
     where e.subaccount_id = $1 and e.account_id = input.account_id and e.id < input.until_id
       and e.id <> input.id and ${wasEarlier} and ${wasLetThrough}) as is_first
   from ${input}`,
);

const lastAmounts = statement<{ id: string; amounts: string[] }>(
  "backtest-last-amounts",
  // From the newest of each account backwards, so that ten are read where there are thousands.
  `select input.id, array(
     select last.amount::text from receiver_account a cross join lateral (
       select e.id, e.amount from payout e
       where e.subaccount_id = $1 and e.account_id = a.id and e.id < input.until_id
         and e.currency = input.currency and e.id <> input.id and ${wasEarlier} and ${wasLetThrough}
       order by e.id desc limit 10
     ) last
     where a.subaccount_id = $1 and a.receiver_id = input.receiver_id
     order by last.id desc limit 10) as amounts
   from ${input}`,
);

const details = statement<{ id: string; changed_at_ms: string | null; countries: string[] }>(
  "backtest-details",
  `select input.id, case when d.version > 1 then d.created_at_ms end as changed_at_ms,
          array[d.country, r.country] as countries
   from ${input}
   join bank_details d on d.subaccount_id = $1 and d.account_id = input.account_id
     and d.version = input.account_version
   join receiver r on r.subaccount_id = $1 and r.id = input.receiver_id`,
);

const sharedAccounts = statement<{ id: string; others: number; closed: number }>(
  "backtest-shared-accounts",
  // By the details that were the newest at that time. When an account was closed is not kept.
  `select input.id, count(distinct other.receiver_id) filter (where other.status = 'active')::int as others,
          count(distinct other.receiver_id) filter (where other.status <> 'active')::int as closed
   from ${input}
   join bank_details d on d.subaccount_id = $1 and d.account_id = input.account_id
     and d.version = input.account_version
   left join lateral (
     select a.receiver_id, a.status
     from bank_details d2
     join receiver_account a on a.subaccount_id = $1 and a.id = d2.account_id
     where d2.subaccount_id = $1 and d2.bsb = d.bsb and d2.country = d.country and d2.bank_code = d.bank_code
       and (d2.account_number_mark = d.account_number_mark
         or (d2.account_number_tail = d.account_number_tail and d2.account_number_tail <> ''
           and (d2.account_number_mark is null or d.account_number_mark is null)))
       and d2.created_at_ms <= input.at_ms and a.receiver_id <> input.receiver_id
       and not exists (select from bank_details newer
         where newer.subaccount_id = $1 and newer.account_id = d2.account_id
           and newer.version > d2.version and newer.created_at_ms <= input.at_ms)
   ) other on true
   group by input.id`,
);

const screeningReviews = statement<{ id: string; is_open: boolean }>(
  "backtest-screening-reviews",
  // Hits keep when they were opened and decided. One that was confirmed goes on.
  `select input.id, exists (
     select from screening_hit hit
     where hit.subaccount_id = $1 and hit.receiver_id = input.receiver_id and hit.opened_at_ms <= input.at_ms
       and (hit.status in ('open', 'same') or hit.decided_at_ms > input.at_ms)) as is_open
   from ${input}`,
);

const identityReviews = statement<{ id: string; is_open: boolean }>(
  "backtest-identity-reviews",
  // A report that wants a user opens the review; the next report or the next change of the receiver's state ends it.
  `select input.id, coalesce((
     select k.outcome = 'on_hold' and not exists (select from receiver_history h
         where h.subaccount_id = $1 and h.receiver_id = input.receiver_id
           and h.at_ms > k.received_at_ms and h.at_ms <= input.at_ms)
     from kyc_report k
     where k.subaccount_id = $1 and k.receiver_id = input.receiver_id and k.received_at_ms <= input.at_ms
     order by k.received_at_ms desc, k.event_id desc limit 1), false) as is_open
   from ${input}`,
);

const payeeNames = statement<{ id: string; outcome: PayeeNameOutcome; is_known: boolean }>(
  "backtest-payee-names",
  // A later check replaces an earlier one, so what was known before it is lost.
  `select input.id, coalesce(n.outcome, 'unavailable') as outcome, c.id is null or n.outcome is not null as is_known
   from ${input}
   left join payee_name_check c on c.subaccount_id = $1 and c.account_id = input.account_id
     and c.version = input.account_version
   left join lateral (select c.outcome where c.checked_at_ms <= input.at_ms) n on true`,
);

const byId = <Row extends { id: string }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): Map<string, Value> => new Map(rows.map((row) => [row.id, read(row)]));

type Reading = [db: Runner, balance: BacktestBalance, payouts: readonly PastPayout[]];

/** Whether no payout to the account was let through before. */
export async function findFirstPayouts(...[db, balance, payouts]: Reading) {
  const rows = await db.run(firstPayouts, valuesOf(balance, payouts));
  return byId(rows, ({ is_first }) => is_first);
}

/** The receiver's last amounts that were let through, in the currency: ten at most. */
export async function listLastAmounts(...[db, balance, payouts]: Reading) {
  const rows = await db.run(lastAmounts, valuesOf(balance, payouts));
  return byId(rows, ({ amounts }) => amounts.map(BigInt));
}

/** When the bank details were changed, and the countries of account and receiver. */
export async function listPastDetails(...[db, balance, payouts]: Reading) {
  const rows = await db.run(details, valuesOf(balance, payouts));
  return byId(rows, ({ changed_at_ms, countries }) => ({
    changedAtMs: changed_at_ms === null ? undefined : Number(changed_at_ms),
    countries,
  }));
}

/** How many other receivers had the same bank account, and how many whose account is closed by now. */
export async function countPastSharers(...[db, balance, payouts]: Reading) {
  const rows = await db.run(sharedAccounts, valuesOf(balance, payouts));
  return byId(rows, ({ others, closed }) => ({ others, closed }));
}

export async function findPastScreeningReviews(...[db, balance, payouts]: Reading) {
  const rows = await db.run(screeningReviews, valuesOf(balance, payouts));
  return byId(rows, ({ is_open }) => is_open);
}

export async function findPastIdentityReviews(...[db, balance, payouts]: Reading) {
  const rows = await db.run(identityReviews, valuesOf(balance, payouts));
  return byId(rows, ({ is_open }) => is_open);
}

/** What the payee name check of the account said, and whether that is certain. */
export async function listPastPayeeNames(...[db, balance, payouts]: Reading) {
  const rows = await db.run(payeeNames, valuesOf(balance, payouts));
  return byId(rows, ({ outcome, is_known }) => ({ outcome, isKnown: is_known }));
}
