// The SQL of the roll-ups of the ledger: each transfer once, in the order of numbers.

import { effect } from "../../../money/ledger/index.ts";
import { type Runner, statement, type Tx } from "../../../platform/db/index.ts";
import { countingSql, eachSql, settlingBounds } from "./histogram.ts";
import { dayMs, hourMs, quarterMs } from "./time-ranges.ts";

type RollupProgress = {
  currency: string;
  /** The number of transfers, and how many of them are rolled up. */
  transfers: string;
  number: string;
};

const progressOf = statement<RollupProgress>(
  "rollup-progress",
  `select b.currency, b.transfers, coalesce(c.number, 0) as number
   from ledger_balance b
   left join rollup_cursor c on c.subaccount_id = b.subaccount_id and c.currency = b.currency
   where b.subaccount_id = $1 order by b.currency`,
);

/** The progress of every balance of the subaccount. */
export function listProgress(db: Runner, subaccountId: string): Promise<RollupProgress[]> {
  return db.run(progressOf, [subaccountId]);
}

const ensure = statement<never>(
  "rollup-cursor-ensure",
  `insert into rollup_cursor (subaccount_id, currency) values ($1, $2) on conflict do nothing`,
);

const lock = statement<{ number: string }>(
  "rollup-cursor-lock",
  "select number from rollup_cursor where subaccount_id = $1 and currency = $2 for update",
);

/** Locks the balance's roll-ups until the end of the transaction. */
export async function lockCursor(tx: Tx, subaccountId: string, currency: string): Promise<void> {
  const found = await tx.run(lock, [subaccountId, currency]);
  if (found.length > 0) return;
  await tx.run(ensure, [subaccountId, currency]);
  await tx.run(lock, [subaccountId, currency]);
}

const owed = ["available", "held", "clearing", "returns", "fees"] as const;
const spans = `(values (${quarterMs}), (${hourMs})) span(ms)`;
const plus = (table: string, columns: readonly string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(", ");
const counted = [
  ...["created", "created_amount", "paid", "paid_amount", "returned", "returned_amount"],
  ...["failed", "failed_amount", "out", "out_amount"],
];
const isFailed = "kind in ('reject', 'release')";
/** Count and amount of the payouts of one time range. */
const sums = (condition: string, name: string) =>
  `count(*) filter (where ${condition}) as ${name},
       coalesce(sum(amount) filter (where ${condition}), 0)::bigint as ${name}_amount`;

const fold = statement<{ number: string; folded: number }>(
  "rollup-fold",
  // Runs under the lock of the cursor, so that each transfer counts once. A transfer belongs to the day of the latest
  // time up to it, so that days are in the order of numbers. A payout's id contains its creation time. The cause of a
  // failed payout never changes.
  `with cursor as materialized (
     select * from rollup_cursor where subaccount_id = $1 and currency = $2
   ), next as materialized (
     select t.*, ms_of_id(t.payout_id) as made_ms,
            greatest(c.latest_ms, max(t.created_at_ms) over (order by t.number)) as booked_ms,
            ${owed.map((account) => effect(account)).join(", ")}
     from cursor c cross join lateral (
       select number, kind, debit, credit, amount, payout_id, created_at_ms from ledger_transfer
       where subaccount_id = $1 and currency = $2 and number > c.number order by number limit $3
     ) t
   ), by_kind as (
     insert into ledger_day_kind as d (subaccount_id, currency, day_ms, kind, transfers, amount)
     select $1, $2, booked_ms / ${dayMs} * ${dayMs}, kind, count(*), sum(amount) from next group by 3, 4
     on conflict (subaccount_id, currency, day_ms, kind) do update set ${plus("d", ["transfers", "amount"])}
   ), running as materialized (
     select number, booked_ms / ${dayMs} * ${dayMs} as day_ms,
            ${owed.map((account) => `sum(${account}) over (order by number) as ${account}`).join(", ")}
     from next
   ), by_day as (
     insert into ledger_day as d (subaccount_id, currency, day_ms, last_number, ${owed.join(", ")})
     select $1, $2, r.day_ms, r.number, ${owed.map((account) => `c.${account} + r.${account}`).join(", ")}
     from cursor c cross join (select distinct on (day_ms) * from running order by day_ms, number desc) r
     on conflict (subaccount_id, currency, day_ms) do update
     set last_number = excluded.last_number,
         ${owed.map((account) => `${account} = excluded.${account}`).join(", ")}
   ), facts as (
     select span.ms as span_ms, made_ms / span.ms * span.ms as start_ms, kind, amount,
            created_at_ms - made_ms as took_ms
     from next cross join ${spans}
     where payout_id is not null and kind in ('hold', 'settle', 'return', 'reject', 'release')
     union all
     select span.ms, created_at_ms / span.ms * span.ms, 'out', amount, null
     from next cross join ${spans} where kind = 'settle'
   ), by_span as (
     insert into payout_rollup as p (subaccount_id, currency, span_ms, start_ms, created, created_amount, paid,
       paid_amount, returned, returned_amount, failed, failed_amount, out, out_amount, took)
     select $1, $2, span_ms, start_ms, ${sums("kind = 'hold'", "created")}, ${sums("kind = 'settle'", "paid")},
            ${sums("kind = 'return'", "returned")}, ${sums(isFailed, "failed")}, ${sums("kind = 'out'", "out")},
            ${countingSql(settlingBounds, { took: "took_ms", where: "kind = 'settle'" })}
     from facts group by span_ms, start_ms
     on conflict (subaccount_id, span_ms, start_ms, currency) do update
     set ${plus("p", counted)},
         took = ${eachSql(settlingBounds, (place) => `p.took[${place}] + excluded.took[${place}]`)}
   ), by_cause as (
     insert into payout_failure_rollup as p (subaccount_id, currency, span_ms, start_ms, cause, cause_code, failed,
       failed_amount)
     select $1, $2, span.ms, n.made_ms / span.ms * span.ms, left(o.cause, 80), max(o.cause_code), count(*),
            sum(n.amount)
     from next n
     join payout o on o.subaccount_id = $1 and o.id = n.payout_id
     cross join ${spans}
     where n.${isFailed} or n.kind = 'return' group by 3, 4, 5
     on conflict (subaccount_id, span_ms, start_ms, currency, cause) do update
     set ${plus("p", ["failed", "failed_amount"])}, cause_code = excluded.cause_code
   ), moved as (
     select max(number) as number, max(booked_ms) as latest_ms, count(*) as folded,
            count(*) filter (where kind = 'hold')
              - count(*) filter (where kind in ('settle', 'reject', 'release')) as in_flight,
            ${owed.map((account) => `sum(${account}) as ${account}`).join(", ")}
     from next
   )
   update rollup_cursor c
   set number = m.number, latest_ms = m.latest_ms, in_flight = c.in_flight + m.in_flight,
       ${owed.map((account) => `${account} = c.${account} + m.${account}`).join(", ")}
   from moved m
   where c.subaccount_id = $1 and c.currency = $2 and m.folded > 0
   returning c.number, m.folded::int`,
);

/** Rolls up the next transfers of the balance, up to `limit`. Returns how many. */
export async function rollUpTransfers(
  tx: Tx,
  { subaccountId, currency, limit }: { subaccountId: string; currency: string; limit: number },
): Promise<number> {
  return (await tx.run(fold, [subaccountId, currency, limit]))[0]?.folded ?? 0;
}
