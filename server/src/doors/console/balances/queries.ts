// The SQL of the balances page: the ends of days and the sums of days, for every currency of a subaccount.

import type { Kind } from "../../../money/ledger/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import type { Period } from "../rollups/time-ranges.ts";

export type DayStanding = {
  currency: string;
  day_ms: string;
  available: string;
  held: string;
  clearing: string;
};

const standings = statement<DayStanding>(
  "balances-day-standings",
  // For each currency, one short scan of the key: the last day before the trend, and the days of it.
  `select b.currency, d.day_ms, d.available, d.held, d.clearing
   from ledger_balance b
   cross join lateral (
     (select day_ms, available, held, clearing from ledger_day
      where subaccount_id = $1 and currency = b.currency and day_ms < $2 order by day_ms desc limit 1)
     union all
     (select day_ms, available, held, clearing from ledger_day
      where subaccount_id = $1 and currency = b.currency and day_ms >= $2)
   ) d
   where b.subaccount_id = $1 order by b.currency, d.day_ms`,
);

/** The balances after the last transfer of each day from then on, and of the last day before. Oldest first. */
export function listDayStandings(
  db: Runner,
  subaccountId: string,
  fromMs: number,
): Promise<DayStanding[]> {
  return db.run(standings, [subaccountId, fromMs]);
}

export type KindSum = { currency: string; kind: Kind; amount: string };

const kindSums = statement<KindSum>(
  "balances-kind-sums",
  `select b.currency, k.kind, sum(k.amount)::text as amount
   from ledger_balance b
   cross join lateral (
     select kind, amount from ledger_day_kind
     where subaccount_id = $1 and currency = b.currency and day_ms >= $2 and day_ms < $3
   ) k
   where b.subaccount_id = $1 group by b.currency, k.kind`,
);

/** The transfers of a period, summed by currency and kind. */
export function sumKinds(
  db: Runner,
  subaccountId: string,
  { fromMs, toMs }: Period,
): Promise<KindSum[]> {
  return db.run(kindSums, [subaccountId, fromMs, toMs]);
}

type FirstDay = { currency: string; day_ms: string };

const firstDays = statement<FirstDay>(
  "balances-first-days",
  `select b.currency, d.day_ms
   from ledger_balance b
   cross join lateral (
     select day_ms from ledger_day where subaccount_id = $1 and currency = b.currency order by day_ms limit 1
   ) d
   where b.subaccount_id = $1`,
);

/** The first day with transfers, by currency. */
export async function findFirstDays(
  db: Runner,
  subaccountId: string,
): Promise<Map<string, number>> {
  const rows = await db.run(firstDays, [subaccountId]);
  return new Map(rows.map(({ currency, day_ms }) => [currency, Number(day_ms)]));
}
