// Metrics about money that waits, which one process of the service reports.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { BalanceSum, Metrics, WaitingState } from "../../platform/metrics/index.ts";
import { oldestDueMs, oldestReviewMs, oldestSubmittedMs, sumBalances } from "./waiting-queries.ts";

/** Above it, the sums are left out: reading them would cost too much on each scrape. */
const balancesMax = 100_000;

type WaitingParts = { db: Db; metrics: Metrics; clock?: Clock };

export function collectPayoutMetrics({ db, metrics, clock = systemClock }: WaitingParts): void {
  metrics.collectWaiting(() => readWaiting(db, clock));
  metrics.collectBalances(() => readBalances(db));
}

async function readWaiting(db: Db, clock: Clock): Promise<WaitingState> {
  const submitted = await oldestSubmittedMs(db, balancesMax);
  const due = await oldestDueMs(db, balancesMax);
  const reviewMs = await oldestReviewMs(db);
  const nowMs = clock();
  const ageOf = (sinceMs = nowMs) => Math.max(nowMs - sinceMs, 0) / 1000;
  return {
    submittedAgeSeconds: {
      test: ageOf(submitted.get("test")),
      live: ageOf(submitted.get("live")),
    },
    dueAgeSeconds: { test: ageOf(due.get("test")), live: ageOf(due.get("live")) },
    reviewAgeSeconds: ageOf(reviewMs),
  };
}

/** Empty when there are too many: a sum of a part would mislead. */
async function readBalances(db: Db): Promise<BalanceSum[]> {
  const rows = await sumBalances(db, balancesMax + 1);
  const count = rows.reduce((sum, { balances }) => sum + balances, 0);
  if (count > balancesMax) return [];
  return rows.map(({ mode, currency, available, held, in_transit }) => ({
    mode,
    currency,
    available: Number(available),
    held: Number(held),
    in_transit: Number(in_transit),
  }));
}
