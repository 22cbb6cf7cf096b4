// The SQL of the running totals of a day, which the thresholds per receiver and per destination account look at.

import { firstIdOf, newestId } from "../../platform/base/index.ts";
import { type Db, type Runner, statement } from "../../platform/db/index.ts";

/** A receiver or a destination account whose payouts of one day are counted, in one currency. */
export type DaySubject = {
  subaccountId: string;
  currency: string;
  /** Of the balance: YYYY-MM-DD. */
  day: string;
  /** The receiver, or the destination of the account. */
  subject: string;
  /** Where the payouts are found: by one of the two. */
  receiverId: string | undefined;
  accountId: string | undefined;
};

/** SQL: what an account is known by, whichever receiver has it. Rows of before may have no keyed hash. */
export const destinationOf = (details: string) =>
  `coalesce(${details}.account_number_mark, ${details}.account_id::text)`;

type TotalRow = {
  place: number;
  balance_total: string | null;
  balance_generation: number | null;
  total: string | null;
  generation: number | null;
};

const totalOf = (subject: string) => `left join lateral (
     select t.total, t.generation from payout_day_total t
     where t.subaccount_id = s.subaccount_id and t.currency = s.currency and t.day = s.day and t.subject = ${subject}
     limit 1
   )`;

const readMany = statement<TotalRow>(
  "payout-day-totals",
  // Two probes of the primary key for each, whatever the number of payouts.
  `select s.place::int, b.total::text as balance_total, b.generation as balance_generation, t.total::text, t.generation
   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
     as s(subaccount_id, currency, day, subject, place)
   ${totalOf("''")} b on true
   ${totalOf("s.subject")} t on true`,
);

export type DayTotal = { total: bigint; generation: number };
/** The total of a subject, and of its balance. Undefined: it has no row. */
export type StoredDayTotal = { balance: DayTotal | undefined; subject: DayTotal | undefined };

/** One for each subject, in their order. */
export async function readDayTotals(
  db: Runner,
  subjects: readonly DaySubject[],
): Promise<StoredDayTotal[]> {
  const found: StoredDayTotal[] = [];
  if (subjects.length === 0) return found;
  const rows = await db.run(readMany, [
    subjects.map(({ subaccountId }) => subaccountId),
    subjects.map(({ currency }) => currency),
    subjects.map(({ day }) => day),
    subjects.map(({ subject }) => subject),
  ]);
  for (const row of rows) {
    found[row.place - 1] = {
      balance: toDayTotal(row.balance_total, row.balance_generation),
      subject: toDayTotal(row.total, row.generation),
    };
  }
  return found;
}

function toDayTotal(total: string | null, generation: number | null): DayTotal | undefined {
  return total === null || generation === null ? undefined : { total: BigInt(total), generation };
}

/** The payouts of an account on the day. Rows are compared because that fits one index only. */
const paidTo = (account: string) => `select p.amount from payout p
       where p.subaccount_id = s.subaccount_id and (p.account_id, p.id) >= (${account}, s.first_id)
         and (p.account_id, p.id) <= (${account}, '${newestId}') and p.currency = s.currency and p.status <> 'failed'`;

const sumMany = statement<{ place: number; sum: string }>(
  "payout-day-sums",
  // Runs under the lock of the balance, so that the sum includes all payouts accepted before.
  `select s.place::int, coalesce((
     select sum(p.amount) from receiver_account a cross join lateral (${paidTo("a.id")}) p
     where a.subaccount_id = s.subaccount_id and a.receiver_id = s.receiver_id), 0)
   + coalesce((
     select sum(p.amount) from (
       select d.account_id, d.version from bank_details d
       where d.subaccount_id = s.subaccount_id and d.account_number_mark = s.subject
       union all
       select d.account_id, d.version from bank_details d
       where d.subaccount_id = s.subaccount_id and d.account_id = s.account_id and d.account_number_mark is null
     ) d cross join lateral (${paidTo("d.account_id")} and p.account_version = d.version) p
     where s.account_id is not null), 0) as sum
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[]) with ordinality
     as s(subaccount_id, currency, first_id, subject, receiver_id, account_id, place)`,
);

/** An id is made a little before its payout is written: an id from the last minute of yesterday may belong to today. */
const slackMs = 60_000;

/** The sum of the payouts to each subject since the start of its day, without failed ones, in their order. */
export async function sumOfDay(db: Runner, subjects: readonly DaySubject[]): Promise<bigint[]> {
  const sums: bigint[] = [];
  if (subjects.length === 0) return sums;
  const rows = await db.run(sumMany, [
    subjects.map(({ subaccountId }) => subaccountId),
    subjects.map(({ currency }) => currency),
    subjects.map(({ day }) => firstIdOf(Date.parse(day) - slackMs)),
    subjects.map(({ subject }) => subject),
    subjects.map(({ receiverId }) => receiverId ?? null),
    subjects.map(({ accountId }) => accountId ?? null),
  ]);
  for (const { place, sum } of rows) sums[place - 1] = BigInt(sum);
  return sums;
}

export type DayTotalToWrite = {
  subaccount_id: string;
  currency: string;
  day: string;
  subject: string;
  total: string;
  generation: number;
};

const key = "subaccount_id, currency, day, subject";

/** The CTE that writes the totals after accepted payouts. Their balances are locked. */
export const writeDayTotalsSql = (rows: string) => `day_totals as (
     insert into payout_day_total (${key}, total, generation)
     select ${key}, total, generation from json_to_recordset(${rows})
       as t(subaccount_id uuid, currency text, day text, subject text, total numeric, generation int)
     on conflict (${key}) do update set total = excluded.total, generation = excluded.generation
   )`;

/**
 * The CTEs that correct the totals by payouts of `moved` that failed, or that the bank has paid after all. A row is only
 * changed under the lock of its balance, so nothing deadlocks. Written as an insert, which always finds its row by its key: an
 * update might scan the table.
 */
export const correctDayTotalsSql = `failed as (
     select m.subaccount_id, m.currency, m.day, s.subject,
            sum(case m.to_status when 'failed' then m.amount else -m.amount end) as amount
     from (
       select *, to_char(to_timestamp(created_at_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') as day from moved
       where (from_status = 'failed') <> (to_status = 'failed')
     ) m
     join moved_balances b on b.subaccount_id = m.subaccount_id and b.currency = m.currency
     cross join lateral (
       select ${destinationOf("d")} as destination from bank_details d
       where d.subaccount_id = m.subaccount_id and d.account_id = m.account_id and d.version = m.account_version limit 1
     ) d
     cross join lateral (values (m.receiver_id::text), (d.destination)) s(subject)
     group by m.subaccount_id, m.currency, m.day, s.subject
   ), corrected as (
     insert into payout_day_total as t (${key}, total, generation)
     select f.subaccount_id, f.currency, f.day, f.subject, f.amount, 0 from failed f
     cross join lateral (
       select from payout_day_total t where t.subaccount_id = f.subaccount_id and t.currency = f.currency
         and t.day = f.day and t.subject = f.subject limit 1
     ) found
     on conflict (${key}) do update set total = t.total - excluded.total
   )`;

const portion = 5_000;
const deleteMany = statement<{ day: string }>(
  "payout-day-totals-expire",
  `delete from payout_day_total where (subaccount_id, currency, day, subject) in (
     select subaccount_id, currency, day, subject from payout_day_total where day || '' < $1 limit ${portion}
   ) returning day`,
);

const dayMs = 86_400_000;

/** Deletes the totals of days that have ended everywhere. Over all subaccounts, in portions. */
export async function deletePastDayTotals(db: Db, nowMs: number): Promise<void> {
  const before = new Date(nowMs - dayMs).toISOString().slice(0, 10);
  let deleted = portion;
  while (deleted === portion) deleted = (await db.run(deleteMany, [before])).length;
}
