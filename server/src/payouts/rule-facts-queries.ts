// The SQL of the facts that rules look at: running totals, earlier payouts, receivers with the same account.

import { firstIdOf } from "../cursor.ts";
import { type Runner, statement, type Tx } from "../db/connect.ts";
import type { PayeeNameOutcome } from "../payee-checks/checker.ts";
import {
  countedMs,
  type RuleSubject,
  type RuleWindow,
  ruleWindows,
  windowMs,
} from "../rules/rule.ts";

/** A receiver, an account or a subaccount whose payouts are counted, in one currency. */
export type CountedSubject = {
  subaccountId: string;
  currency: string;
  subjectId: string;
  kind: RuleSubject;
  epoch: number;
  /** The time of the first payout that is decided on. */
  atMs: number;
};

export type RunningTotal = { number: number; total: bigint };
export type SubjectTotals = RunningTotal & {
  /** Of the newest payout; undefined: there is none. */
  newestMs: number | undefined;
  /** The totals before each window. */
  before: Record<RuleWindow, RunningTotal>;
};

/** A payout whose receiver and account are looked at. */
export type FactsKey = {
  subaccountId: string;
  receiverId: string;
  accountId: string;
  currency: string;
};

export type LastPayout = { id: string; amount: bigint };

export type PayeeFacts = {
  isFirstPayout: boolean;
  otherReceivers: number;
  /** The receiver's last payouts that were let through, by their ids, newest first; ten at most. */
  last: LastPayout[];
  /** Of the current bank details. A check that has not ended says nothing yet. */
  payeeName: PayeeNameOutcome;
};

/** The stages of payouts that no rule stops any more. */
const letThrough = "p.stage in ('queued', 'batched', 'submitted', 'settled')";

const ofSubject = `c.subaccount_id = s.subaccount_id and c.currency = s.currency
       and c.subject_id = s.subject_id and c.epoch = s.epoch`;

// Two probes of the primary key for each window, whatever the number of payouts. What this statement fills is newer than
// what is there.
const windowStart = (window: RuleWindow, isWanted: string) => `left join lateral (
     select start.number, start.total from (
       (select c.number, c.total from payout_count c
        where ${isWanted} and s.newest_ms is not null and ${ofSubject}
          and c.at_ms <= greatest(s.at_ms, s.newest_ms, last.at_ms) - ${windowMs[window]}
        order by c.at_ms desc, c.number desc limit 1)
       union all
       (select e.number, e.total from earlier e
        where ${isWanted} and e.place = s.place
          and e.at_ms <= greatest(s.at_ms, last.at_ms) - ${windowMs[window]}
        order by e.number desc limit 1)
     ) start order by start.number desc limit 1
   ) ${window}_start on true`;

const earlierPayout = (from: string, where: string) => `select t.number, p.created_at_ms, p.amount
       from ${from}
       join ledger_transfer t on t.subaccount_id = p.subaccount_id and t.payout_id = p.id and t.kind = 'hold'
       where s.newest_ms is null and s.up_to_number is null and ${where}
         and p.subaccount_id = s.subaccount_id and p.currency = s.currency and p.id >= $7`;

/**
 * A subject that was never counted in its epoch is filled from its payouts of the last 31 days, in the order in which
 * they were accepted. A large subaccount was filled before the rules were switched on (fill-counts.ts); here it gets the
 * payouts since then. It runs under the lock of the balance, so that all payouts accepted before are visible.
 */
const readFacts = (fills: boolean) => `with subject as materialized (
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[]) with ordinality
       as s(subaccount_id, currency, subject_id, kind, epoch, at_ms, place)
   ), newest as materialized (
     select s.*, n.at_ms as newest_ms, n.number, n.total, f.up_to_number
     from subject s left join lateral (
       select c.at_ms, c.number, c.total from payout_count c where ${ofSubject}
       order by c.at_ms desc, c.number desc limit 1
     ) n on true
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
   select 'totals' as part, s.place::int as place, coalesce(last.at_ms, s.newest_ms) as newest_ms,
          coalesce(last.number, s.number, 0) as number, coalesce(last.total, s.total, 0)::text as total,
          ${ruleWindows
            .map(
              (window) => `coalesce(${window}_start.number, 0) as ${window}_number,
          coalesce(${window}_start.total, 0)::text as ${window}_total`,
            )
            .join(", ")},
          null::boolean as is_first, null::int as other_receivers, null::text as last_payouts,
          null::text as payee_name
   from newest s
   left join lateral (
     select e.at_ms, e.number, e.total from earlier e
     where e.place = s.place order by e.number desc limit 1
   ) last on true
   ${ruleWindows.map((window, index) => windowStart(window, `$${8 + index}::boolean`)).join("\n   ")}
   union all
   select 'payee', i.place::int, null, null, null, ${ruleWindows.map(() => "null, null").join(", ")},
          case when $15::boolean then not exists (
            select from payout p
            where p.subaccount_id = i.subaccount_id and p.account_id = i.account_id and ${letThrough}) end,
          case when $16::boolean then (
            select count(distinct a2.receiver_id)::int from receiver_account a
            join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id and d.version = a.version
            join bank_details d2 on d2.subaccount_id = d.subaccount_id
              and d2.account_number_tail = d.account_number_tail and d2.account_number_tail <> ''
              and d2.bsb = d.bsb and d2.country = d.country and d2.bank_code = d.bank_code
              and coalesce(d2.account_number_mark = d.account_number_mark, true)
            join receiver_account a2 on a2.subaccount_id = d2.subaccount_id and a2.id = d2.account_id
              and a2.version = d2.version and a2.status = 'active'
            where a.subaccount_id = i.subaccount_id and a.id = i.account_id and a2.receiver_id <> a.receiver_id) end,
          case when $17::boolean then (
            select string_agg(newest.id || ' ' || newest.amount, ',' order by newest.id desc) from (
              select p.id, p.amount from receiver_account a cross join lateral (
                select p.id, p.amount from payout p
                where p.subaccount_id = i.subaccount_id and p.account_id = a.id and p.currency = i.currency
                  and ${letThrough}
                order by p.id desc limit 10
              ) p
              where a.subaccount_id = i.subaccount_id and a.receiver_id = i.receiver_id
              order by p.id desc limit 10
            ) newest) end,
          case when $18::boolean then (
            select c.outcome from receiver_account a
            join payee_name_check c on c.subaccount_id = a.subaccount_id and c.account_id = a.id and c.version = a.version
            where a.subaccount_id = i.subaccount_id and a.id = i.account_id) end
   from unnest($11::uuid[], $12::uuid[], $13::uuid[], $14::text[]) with ordinality
     as i(subaccount_id, receiver_id, account_id, currency, place)`;

type FactsRow = {
  part: "totals" | "payee";
  place: number;
  newest_ms: string | null;
  number: string;
  total: string;
  is_first: boolean | null;
  other_receivers: number | null;
  last_payouts: string | null;
  payee_name: PayeeNameOutcome | null;
} & { [Name in `${RuleWindow}_${"number" | "total"}`]: string };

const readAndFill = statement<FactsRow>("payout-rule-facts", readFacts(true));
const readOnly = statement<FactsRow>("payout-rule-facts-preview", readFacts(false));

export type FactsRequest = {
  subjects: readonly CountedSubject[];
  windows: readonly RuleWindow[];
  payees: readonly FactsKey[];
  wants: { first: boolean; shared: boolean; median: boolean; payeeName: boolean };
  nowMs: number;
};

/** The totals of each subject and the facts of each payee, in their order. */
export async function readRuleFacts(
  db: Runner,
  { subjects, windows, payees, wants, nowMs }: FactsRequest,
  { isPreview }: { isPreview: boolean },
): Promise<{ totals: SubjectTotals[]; payees: PayeeFacts[] }> {
  const rows = await db.run(isPreview ? readOnly : readAndFill, [
    subjects.map(({ subaccountId }) => subaccountId),
    subjects.map(({ currency }) => currency),
    subjects.map(({ subjectId }) => subjectId),
    subjects.map(({ kind }) => kind),
    subjects.map(({ epoch }) => epoch),
    subjects.map(({ atMs }) => atMs),
    firstIdOf(nowMs - countedMs),
    ...ruleWindows.map((window) => windows.includes(window)),
    payees.map(({ subaccountId }) => subaccountId),
    payees.map(({ receiverId }) => receiverId),
    payees.map(({ accountId }) => accountId),
    payees.map(({ currency }) => currency),
    ...[wants.first, wants.shared, wants.median, wants.payeeName],
  ]);
  const found = { totals: [] as SubjectTotals[], payees: [] as PayeeFacts[] };
  for (const row of rows) {
    if (row.part === "totals") found.totals[row.place - 1] = toTotals(row);
    else found.payees[row.place - 1] = toPayeeFacts(row);
  }
  return found;
}

function toTotals(row: FactsRow): SubjectTotals {
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

function toPayeeFacts(row: FactsRow): PayeeFacts {
  const { is_first, other_receivers, last_payouts, payee_name } = row;
  return {
    isFirstPayout: is_first === true,
    otherReceivers: other_receivers ?? 0,
    last: (last_payouts?.split(",") ?? []).map((text) => {
      const [id = "", amount = "0"] = text.split(" ");
      return { id, amount: BigInt(amount) };
    }),
    payeeName: payee_name ?? "unavailable",
  };
}

export type CountToInsert = Omit<CountedSubject, "kind"> & RunningTotal;

const insertMany = statement<never>(
  "payout-counts-insert",
  `insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
   select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::numeric[])`,
);

const forgottenMax = 1_000;

const forgetMany = statement<never>(
  "payout-counts-forget",
  // The newest row before the longest window is the start of that window, so it stays. Rows of earlier epochs may be a
  // million, and the balance is locked: each time only the oldest ones are deleted.
  `delete from payout_count c
   using unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[])
     as s(subaccount_id, currency, subject_id, epoch, until_ms)
   cross join lateral (
     select old.epoch, old.at_ms, old.number from payout_count old
     where old.subaccount_id = s.subaccount_id and old.currency = s.currency and old.subject_id = s.subject_id
       and (old.epoch, old.at_ms) <= (s.epoch, s.until_ms) and (old.epoch < s.epoch or exists (
         select from payout_count n where n.subaccount_id = s.subaccount_id and n.currency = s.currency
           and n.subject_id = s.subject_id and n.epoch = s.epoch and n.at_ms <= s.until_ms
           and (n.at_ms, n.number) > (old.at_ms, old.number)))
     order by old.epoch, old.at_ms, old.number limit ${forgottenMax}
   ) old
   where c.subaccount_id = s.subaccount_id and c.currency = s.currency and c.subject_id = s.subject_id
     and c.epoch = old.epoch and c.at_ms = old.at_ms and c.number = old.number`,
);

/** Rows that no window needs any more are deleted with every hundredth payout of a subject. */
const forgetEvery = 100;

/** Of accepted payouts, under the lock of their balances. */
export async function insertPayoutCounts(tx: Tx, counts: readonly CountToInsert[]): Promise<void> {
  await tx.run(insertMany, [
    counts.map(({ subaccountId }) => subaccountId),
    counts.map(({ currency }) => currency),
    counts.map(({ subjectId }) => subjectId),
    counts.map(({ epoch }) => epoch),
    counts.map(({ atMs }) => atMs),
    counts.map(({ number }) => number),
    counts.map(({ total }) => total.toString()),
  ]);
  const full = counts.filter(({ number }) => number % forgetEvery === 0);
  if (full.length === 0) return;
  await tx.run(forgetMany, [
    full.map(({ subaccountId }) => subaccountId),
    full.map(({ currency }) => currency),
    full.map(({ subjectId }) => subjectId),
    full.map(({ epoch }) => epoch),
    full.map(({ atMs }) => atMs - countedMs),
  ]);
}
