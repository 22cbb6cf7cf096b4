// The SQL of the running totals that rules look at.

import { firstIdOf } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import {
  type CountEpochs,
  type CountedCondition,
  countedMs,
  type RuleSubject,
  type RuleWindow,
  ruleSubjects,
  ruleWindows,
  windowMs,
} from "../rules/index.ts";

/** A receiver, an account or a subaccount whose payouts are counted, in one currency. */
export type CountedSubject = {
  subaccountId: string;
  currency: string;
  subjectId: string;
  kind: RuleSubject;
  epoch: number;
  /** The time of the first payout that is decided on. */
  atMs: number;
  /** Of the rules about this subject. */
  conditions: readonly CountedCondition[];
};

export type RunningTotal = { number: number; total: bigint };
export type SubjectTotals = RunningTotal & {
  /** Of the newest payout; undefined: there is none. */
  newestMs: number | undefined;
  /** The totals before each window. */
  before: Record<RuleWindow, RunningTotal>;
};

const ofSubject = `c.subaccount_id = s.subaccount_id and c.currency = s.currency
       and c.subject_id = s.subject_id and c.epoch = s.epoch`;

const newestCount = `select c.at_ms, c.number, c.total from payout_count c where ${ofSubject}
     order by c.at_ms desc, c.number desc limit 1`;

// One probe of the primary key for the newest total and one for each window, whatever the number of payouts.
const windowStart = (window: RuleWindow) => `left join lateral (
     select c.number, c.total from payout_count c
     where s.${window} and ${ofSubject} and c.at_ms <= greatest(s.at_ms, n.at_ms) - ${windowMs[window]}
     order by c.at_ms desc, c.number desc limit 1
   ) ${window}_start on true`;

const startColumns = ruleWindows
  .map(
    (window) => `coalesce(${window}_start.number, 0) as ${window}_number,
          coalesce(${window}_start.total, 0)::text as ${window}_total`,
  )
  .join(", ");

const readKnown = statement<TotalsRow>(
  "payout-totals",
  `select s.place::int as place,
          n.at_ms is not null and (s.kind <> 'subaccount' or (
            select f.up_to_number from payout_count_fill f
            where f.subaccount_id = s.subaccount_id and f.currency = s.currency and f.epoch = s.epoch) is null
          ) as is_counted,
          n.at_ms as newest_ms, coalesce(n.number, 0) as number, coalesce(n.total, 0)::text as total, ${startColumns}
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[], $8::boolean[],
               $9::boolean[]) with ordinality
     as s(subaccount_id, currency, subject_id, kind, epoch, at_ms, ${ruleWindows.join(", ")}, place)
   left join lateral (${newestCount}) n on true
   ${ruleWindows.map(windowStart).join("\n   ")}`,
);

// What this statement fills is newer than what is there.
const windowStartAfterFill = (window: RuleWindow) => `left join lateral (
     select start.number, start.total from (
       (select c.number, c.total from payout_count c
        where s.${window} and s.newest_ms is not null and ${ofSubject}
          and c.at_ms <= greatest(s.at_ms, s.newest_ms, last.at_ms) - ${windowMs[window]}
        order by c.at_ms desc, c.number desc limit 1)
       union all
       (select e.number, e.total from earlier e
        where s.${window} and e.place = s.place
          and e.at_ms <= greatest(s.at_ms, last.at_ms) - ${windowMs[window]}
        order by e.number desc limit 1)
     ) start order by start.number desc limit 1
   ) ${window}_start on true`;

const earlierPayout = (from: string, where: string) => `select t.number, p.created_at_ms, p.amount
       from ${from}
       join ledger_transfer t on t.subaccount_id = p.subaccount_id and t.payout_id = p.id and t.kind = 'hold'
       where s.newest_ms is null and s.up_to_number is null and ${where}
         and p.subaccount_id = s.subaccount_id and p.currency = s.currency and p.id >= $10`;

/**
 * A subject that was never counted in its epoch is filled from its payouts of the last 31 days, in the order in which
 * they were accepted. A large subaccount was filled before the rules were switched on (fill-counts.ts); here it gets the
 * payouts since then. It runs under the lock of the balance, so that all payouts accepted before are visible.
 */
const readUncounted = (fills: boolean) => `with subject as materialized (
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[],
                          $8::boolean[], $9::boolean[]) with ordinality
       as s(subaccount_id, currency, subject_id, kind, epoch, at_ms, ${ruleWindows.join(", ")}, place)
   ), newest as materialized (
     select s.*, n.at_ms as newest_ms, n.number, n.total, f.up_to_number
     from subject s left join lateral (${newestCount}) n on true
     left join payout_count_fill f on f.subaccount_id = s.subaccount_id and f.currency = s.currency
       and f.epoch = s.epoch and s.subject_id = s.subaccount_id
   ), earlier as materialized (
     select s.place, s.subaccount_id, s.currency, s.subject_id, s.epoch,
            greatest(max(p.created_at_ms) over earlier, s.newest_ms) as at_ms,
            row_number() over earlier + coalesce(s.number, 0) as number,
            sum(p.amount) over earlier + coalesce(s.total, 0) as total
     from newest s cross join lateral (
       ${earlierPayout("payout p", "s.kind = 'account' and p.account_id = s.subject_id")}
       union all
       ${earlierPayout(
         "receiver_account a join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id",
         "s.kind = 'receiver' and a.subaccount_id = s.subaccount_id and a.receiver_id = s.subject_id",
       )}
       union all
       ${earlierPayout("payout p", "s.kind = 'subaccount'")}
       union all
       select t.number, p.created_at_ms, p.amount
       from ledger_transfer t join payout p on p.subaccount_id = t.subaccount_id and p.id = t.payout_id
       where s.up_to_number is not null and t.subaccount_id = s.subaccount_id and t.currency = s.currency
         and t.number > s.up_to_number and t.kind = 'hold'
     ) p
     where s.newest_ms is null or s.up_to_number is not null
     window earlier as (partition by s.place order by p.number rows unbounded preceding)
   )${
     fills
       ? `, filled as (
     insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
     select subaccount_id, currency, subject_id, epoch, at_ms, number, total from earlier
   ), filled_up as (
     delete from payout_count_fill f using newest s
     where s.up_to_number is not null and f.subaccount_id = s.subaccount_id and f.currency = s.currency
       and f.epoch = s.epoch
   )`
       : ""
   }
   select s.place::int as place, true as is_counted, coalesce(last.at_ms, s.newest_ms) as newest_ms,
          coalesce(last.number, s.number, 0) as number, coalesce(last.total, s.total, 0)::text as total, ${startColumns}
   from newest s
   left join lateral (
     select e.at_ms, e.number, e.total from earlier e
     where e.place = s.place order by e.number desc limit 1
   ) last on true
   ${ruleWindows.map(windowStartAfterFill).join("\n   ")}`;

type TotalsRow = {
  place: number;
  /** Otherwise earlier payouts may not be counted yet. */
  is_counted: boolean;
  newest_ms: string | null;
  number: string;
  total: string;
} & { [Name in `${RuleWindow}_${"number" | "total"}`]: string };

const readAndFill = statement<TotalsRow>("payout-totals-fill", readUncounted(true));
const readOnly = statement<TotalsRow>("payout-totals-preview", readUncounted(false));

/** The totals of each subject, in their order. */
export async function readTotals(
  db: Runner,
  subjects: readonly CountedSubject[],
  { nowMs, isPreview }: { nowMs: number; isPreview: boolean },
): Promise<SubjectTotals[]> {
  const totals: SubjectTotals[] = [];
  const uncounted: number[] = [];
  for (const row of await db.run(readKnown, subjectColumns(subjects))) {
    const index = row.place - 1;
    if (row.is_counted) totals[index] = toTotals(row);
    else uncounted.push(index);
  }
  if (uncounted.length === 0) return totals;
  const filled = await db.run(isPreview ? readOnly : readAndFill, [
    ...subjectColumns(uncounted.map((index) => subjects[index] as CountedSubject)),
    firstIdOf(nowMs - countedMs),
  ]);
  for (const row of filled) totals[uncounted[row.place - 1] as number] = toTotals(row);
  return totals;
}

function subjectColumns(subjects: readonly CountedSubject[]): unknown[][] {
  return [
    subjects.map(({ subaccountId }) => subaccountId),
    subjects.map(({ currency }) => currency),
    subjects.map(({ subjectId }) => subjectId),
    subjects.map(({ kind }) => kind),
    subjects.map(({ epoch }) => epoch),
    subjects.map(({ atMs }) => atMs),
    ...ruleWindows.map((wanted) =>
      subjects.map(({ conditions }) => conditions.some(({ window }) => window === wanted)),
    ),
  ];
}

function toTotals(row: TotalsRow): SubjectTotals {
  const total = (number: string, sum: string) => ({ number: Number(number), total: BigInt(sum) });
  return {
    ...total(row.number, row.total),
    newestMs: row.newest_ms === null ? undefined : Number(row.newest_ms),
    before: {
      hour: total(row.hour_number, row.hour_total),
      day: total(row.day_number, row.day_total),
      month: total(row.month_number, row.month_total),
    },
  };
}

/** The totals after an accepted payout, and its time. */
export type CountsAfter = Partial<Record<RuleSubject, RunningTotal & { atMs: number }>>;

export type CountsToInsert = {
  byPayout: Map<string, CountsAfter>;
  epochs: CountEpochs;
  /** Subjects whose oldest rows are deleted. */
  full: CountedSubject[];
};

const forgottenMax = 1_000;

const forgetMany = statement<never>(
  "payout-counts-forget",
  // The newest row before the longest window is the start of that window, so it stays. Rows of earlier epochs may be a
  // million, and the balance is locked: each time only the oldest ones are deleted. They are deleted by their place: a
  // join with the table may read every row of the subject.
  `delete from payout_count c where c.subaccount_id = any($1::uuid[]) and c.ctid = any(array(
     select old.ctid from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[])
       as s(subaccount_id, currency, subject_id, epoch, until_ms)
     cross join lateral (
       select old.ctid from payout_count old
       where old.subaccount_id = s.subaccount_id and old.currency = s.currency and old.subject_id = s.subject_id
         and (old.epoch, old.at_ms) <= (s.epoch, s.until_ms) and (old.epoch < s.epoch or exists (
           select from payout_count n where n.subaccount_id = s.subaccount_id and n.currency = s.currency
             and n.subject_id = s.subject_id and n.epoch = s.epoch and n.at_ms <= s.until_ms
             and (n.at_ms, n.number) > (old.at_ms, old.number)))
       order by old.epoch, old.at_ms, old.number limit ${forgottenMax}
     ) old))`,
);

/** The columns of `input` from `toCountColumns`. */
export const countColumns = ruleSubjects
  .map((kind) => `, ${kind}_number bigint, ${kind}_total numeric, ${kind}_at_ms bigint`)
  .join("");

/** The CTE that inserts the counts of accepted payouts. The parameters are the epochs, in the order of the subjects. */
export const insertCountsSql = (epochs: readonly string[]) => `counted as (
     insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
     select input.subaccount_id, input.currency, c.subject_id, c.epoch, c.at_ms, c.number, c.total
     from input cross join lateral (values ${ruleSubjects
       .map((kind, index) => {
         const totals = `coalesce(${kind}_at_ms, created_at_ms), ${kind}_number, ${kind}_total`;
         return `(input.${kind}_id, ${epochs[index]}::bigint, ${totals})`;
       })
       .join(", ")}) c(subject_id, epoch, at_ms, number, total)
     where c.number is not null
   )`;

/** A time that is the payout's own is left out. */
export function toCountColumns(
  { receiver, account, subaccount }: CountsAfter,
  createdAtMs: number,
): object {
  const later = (counted: { atMs: number } | undefined) =>
    counted && counted.atMs !== createdAtMs ? counted.atMs : undefined;
  return {
    receiver_number: receiver?.number,
    receiver_total: receiver?.total.toString(),
    receiver_at_ms: later(receiver),
    account_number: account?.number,
    account_total: account?.total.toString(),
    account_at_ms: later(account),
    subaccount_number: subaccount?.number,
    subaccount_total: subaccount?.total.toString(),
    subaccount_at_ms: later(subaccount),
  };
}

/** Rows that no window needs any more are deleted when a subject has had this many further payouts. */
export const forgetEvery = 100;

/** After the counts were inserted. */
export async function forgetOldCounts(tx: Tx, full: readonly CountedSubject[]): Promise<void> {
  if (full.length === 0) return;
  await tx.run(forgetMany, [
    full.map(({ subaccountId }) => subaccountId),
    full.map(({ currency }) => currency),
    full.map(({ subjectId }) => subjectId),
    full.map(({ epoch }) => epoch),
    full.map(({ atMs }) => atMs - countedMs),
  ]);
}
