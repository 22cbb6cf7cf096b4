// The figures of identity checks for tile and plot. Pure.

import { idTimeMs } from "../../../platform/base/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { StateCount, WaitingAge } from "./kyc-queries.ts";
import type { Overview } from "./schema.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Longest first, in the order of `agesFrom`. */
const ages = [
  ["> 7 d", 7 * dayMs],
  ["3–7 d", 3 * dayMs],
  ["1–3 d", dayMs],
  ["1–24 h", hourMs],
  ["< 1 h", 0],
] as const;

/** The start times of all ages but the longest. */
export function agesFrom(nowMs: number): number[] {
  return ages.slice(0, -1).map(([, longerMs]) => nowMs - longerMs);
}

export function kycTile(waiting: readonly WaitingAge[]): Overview["tiles"]["kyc_waiting"] {
  const count = waiting.reduce((sum, age) => sum + age.count, 0);
  const [oldest] = waiting.map(({ oldest_id }) => oldest_id).sort();
  return {
    count: Math.min(count, limits.countedMax),
    is_more: count > limits.countedMax,
    oldest_at: oldest ? idTimeMs(oldest) : null,
  };
}

/** Most checks take less than an hour. */
export function isNotNew({ age, count }: WaitingAge): boolean {
  return count > 0 && (ages[age]?.[1] ?? 0) >= hourMs;
}

/** The checks that have waited for too long. */
export function lateOnes(waiting: readonly WaitingAge[]) {
  return kycTile(waiting.filter(({ age }) => (ages[age]?.[1] ?? 0) >= limits.kycLateMs));
}

export function kycFunnel(
  states: readonly StateCount[],
  waiting: readonly WaitingAge[],
): Overview["plots"]["kyc"] {
  const of = (kycStatus: string) =>
    states
      .filter(({ kyc_status }) => kyc_status === kycStatus)
      .reduce((sum, { count }) => sum + Math.min(count, limits.funnelCountedMax), 0);
  const [undecided, verified, refused] = [of("pending"), of("completed"), of("failed")];
  return {
    made: undecided + verified + refused,
    waiting: undecided,
    verified,
    refused,
    is_more: states.some(({ count }) => count > limits.funnelCountedMax),
    ages: ages
      .map(([age], place) => {
        const count = waiting.find((row) => row.age === place)?.count ?? 0;
        return { age, count };
      })
      .reverse(),
  };
}
