// The trend of a balance, and for how many days it lasts. Pure.

import { type Kind, postings } from "../../../money/ledger/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import { dayMs } from "../rollups/time-ranges.ts";
import type { DayStanding, KindSum } from "./queries.ts";
import type { BalanceOfCurrency, Lasting } from "./schema.ts";

export const trendDays = 30;
/** An average of fewer days says little. */
const leastDays = 7;

/** The starts of the UTC days up to today. */
export function trendStarts(nowMs: number): number[] {
  const todayMs = nowMs - (nowMs % dayMs);
  return Array.from({ length: trendDays }, (_, place) => todayMs - (trendDays - 1 - place) * dayMs);
}

type Standing = Pick<DayStanding, "available" | "held" | "clearing">;

/** One standing for each day: a day without transfers ends as the day before, and today ends as the balance is now. */
export function trendOf(
  daysMs: readonly number[],
  ends: readonly DayStanding[],
  now: Standing,
): BalanceOfCurrency["trend"] {
  let standing: Standing = { available: "0", held: "0", clearing: "0" };
  let place = 0;
  return daysMs.map((day, index) => {
    for (let end = ends[place]; end && Number(end.day_ms) <= day; end = ends[place]) {
      standing = end;
      place += 1;
    }
    return presentDay(index === daysMs.length - 1 ? now : standing);
  });
}

export function presentDay({ available, held, clearing }: Standing) {
  return {
    available: toSum(BigInt(available)),
    held: toSum(BigInt(held)),
    in_transit: toSum(BigInt(clearing)),
  };
}

/**
 * What a kind of transfer says about spending: 1 takes from the available balance for a payout, -1 gives it back.
 * Fundings and their reversals are no spending.
 */
function spendingSign(kind: Kind): -1n | 0n | 1n {
  if (kind === "fund" || kind === "reversal") return 0n;
  const [debit, credit] = postings[kind];
  if (debit === "available") return 1n;
  return credit === "available" ? -1n : 0n;
}

/** Today is not over, so it is no part of the average. */
export function lastingOf(
  available: bigint,
  sums: readonly KindSum[],
  { firstMs, todayMs }: { firstMs: number | undefined; todayMs: number },
): Lasting | null {
  const ofDays = Math.min(trendDays, firstMs === undefined ? 0 : (todayMs - firstMs) / dayMs);
  if (ofDays < leastDays) return null;
  const spent = sums.reduce(
    (sum, { kind, amount }) => sum + spendingSign(kind) * BigInt(amount),
    0n,
  );
  if (spent <= 0n) return null;
  const days = BigInt(ofDays);
  return {
    days: Number((available * days) / spent),
    average: toSum(spent / days),
    of_days: ofDays,
  };
}
