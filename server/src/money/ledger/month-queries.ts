// The SQL of closed months.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { BalanceKey } from "./queries.ts";

export type ClosedMonth = {
  subaccount_id: string;
  currency: string;
  month: string;
  after_number: string;
  last_number: string;
  opening: string;
  funded: string;
  paid: string;
  returned: string;
  fees: string;
  reversed: string;
  closing: string;
  available: string;
  held: string;
  clearing: string;
  returns: string;
  closed_at_ms: string;
  closed_by: string;
};

const columns = `currency, month, after_number, last_number, opening, funded, paid, returned, fees,
  reversed, closing, available, held, clearing, returns, closed_at_ms, closed_by`;

const insert = statement<never>(
  "closed-month-insert",
  `insert into closed_month (subaccount_id, ${columns})
   select subaccount_id, ${columns} from json_populate_record(null::closed_month, $1)`,
);

/** The primary key makes sure that a month is closed once. */
export async function insertClosedMonth(tx: Tx, month: ClosedMonth): Promise<void> {
  await tx.run(insert, [JSON.stringify(month)]);
}

const find = statement<ClosedMonth>(
  "closed-month-find",
  `select subaccount_id, ${columns} from closed_month where subaccount_id = $1 and currency = $2 and month = $3`,
);

export async function findClosedMonth(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  month: string,
): Promise<ClosedMonth | undefined> {
  return (await db.run(find, [subaccountId, currency, month]))[0];
}

/** A closed month, and the same figures by the transfers that are there now. */
export type MonthAudit = ClosedMonth & {
  funded_found: string;
  paid_found: string;
  returned_found: string;
  fees_found: string;
  reversed_found: string;
  /** Available and held after its last transfer. */
  available_found: string;
  held_found: string;
  transfers_found: string;
  /** The time range of the transfers with its numbers. */
  earliest_ms: string | null;
  /** Transfers of a later month among its own, or of its own after them. */
  misplaced: boolean;
};

const signedAmounts = {
  funded: "(t.kind = 'fund')::int * t.amount",
  paid: "(t.kind = 'settle')::int * t.amount",
  returned: "(t.kind = 'return')::int * t.amount",
  fees: "((t.kind = 'fee')::int - (t.kind = 'fee_refund')::int) * t.amount",
  reversed: "(t.kind = 'reversal')::int * t.amount",
};

const audit = statement<MonthAudit>(
  "closed-months-audit",
  // Each month reads only the transfers with its own numbers, so all months together read the books once.
  `select m.*, f.*, coalesce(last.available_after, 0) as available_found,
          coalesce(last.held_after, 0) as held_found,
          coalesce(f.latest_ms >= e.end_ms, false) or coalesce(next.created_at_ms < e.end_ms, false)
            or (e.is_last and exists (
              select from ledger_transfer t
              where t.subaccount_id = m.subaccount_id and t.currency = m.currency and t.number > m.last_number
                and t.created_at_ms < e.end_ms)) as misplaced
   from closed_month m
   cross join lateral (
     select (extract(epoch from (m.month || '-01')::timestamp + interval '1 month') * 1000)::bigint as end_ms,
            not exists (
              select from closed_month n
              where n.subaccount_id = m.subaccount_id and n.currency = m.currency and n.month > m.month
            ) as is_last
   ) e
   cross join lateral (
     select count(*) as transfers_found, max(t.created_at_ms) as latest_ms, min(t.created_at_ms) as earliest_ms,
            ${Object.entries(signedAmounts)
              .map(([name, amount]) => `coalesce(sum(${amount}), 0)::bigint as ${name}_found`)
              .join(", ")}
     from ledger_transfer t
     where t.subaccount_id = m.subaccount_id and t.currency = m.currency and t.number > m.after_number
       and t.number <= m.last_number
   ) f
   left join ledger_transfer last on last.subaccount_id = m.subaccount_id and last.currency = m.currency
     and last.number = m.last_number
   left join ledger_transfer next on next.subaccount_id = m.subaccount_id and next.currency = m.currency
     and next.number = m.last_number + 1
   order by m.subaccount_id, m.currency, m.month`,
);

export function auditClosedMonths(db: Runner): Promise<MonthAudit[]> {
  return db.run(audit);
}
