// The balances of a subaccount now, each with its trend, from one snapshot.

import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { type BalanceNow, listBalancesNow } from "../reconcile/queries.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { dayMs } from "../rollups/time-ranges.ts";
import {
  type DayStanding,
  findFirstDays,
  type KindSum,
  listDayStandings,
  sumKinds,
} from "./queries.ts";
import type { BalanceOfCurrency, BalancesNow } from "./schema.ts";
import { lastingOf, presentDay, trendDays, trendOf, trendStarts } from "./trend.ts";

export type BalanceParts = { db: Db; clock: Clock; rollups: Rollups };

export async function readBalances(
  { db, clock, rollups }: BalanceParts,
  subaccountId: string,
): Promise<BalancesNow> {
  await rollups.catchUp(subaccountId);
  const nowMs = clock();
  const daysMs = trendStarts(nowMs);
  const todayMs = daysMs.at(-1) ?? 0;
  const before = { fromMs: todayMs - trendDays * dayMs, toMs: todayMs };
  return db.transaction(
    async (tx) => {
      const balances = await listBalancesNow(tx, { subaccountId, currency: undefined });
      const ends = byCurrency(await listDayStandings(tx, subaccountId, daysMs[0] ?? 0));
      const sums = byCurrency(await sumKinds(tx, subaccountId, before));
      const firsts = await findFirstDays(tx, subaccountId);
      return {
        as_of: nowMs,
        days: daysMs,
        balances: balances.map((balance) =>
          present(balance, {
            ends: ends.get(balance.currency) ?? [],
            sums: sums.get(balance.currency) ?? [],
            firstMs: firsts.get(balance.currency),
            daysMs,
          }),
        ),
      };
    },
    { snapshot: true },
  );
}

type Past = {
  ends: readonly DayStanding[];
  sums: readonly KindSum[];
  firstMs: number | undefined;
  daysMs: readonly number[];
};

function present(balance: BalanceNow, { ends, sums, firstMs, daysMs }: Past): BalanceOfCurrency {
  const behind = Number(balance.transfers) - Number(balance.rolled_up);
  const dates = { firstMs, todayMs: daysMs.at(-1) ?? 0 };
  return {
    currency: balance.currency,
    ...presentDay(balance),
    behind,
    trend: trendOf(daysMs, ends, balance),
    lasts: behind > 0 ? null : lastingOf(BigInt(balance.available), sums, dates),
  };
}

function byCurrency<Row extends { currency: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ currency }) => currency);
}
