// Durations as histograms: unlike percentiles, they can be added up over any time range. Pure.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** In ms, for payouts: from one second to two weeks. */
export const settlingBounds = [
  ...[1, 2, 5, 10, 20, 30].map((bound) => bound * second),
  ...[1, 2, 5, 10, 20, 30].map((bound) => bound * minute),
  ...[1, 2, 4, 8, 12].map((bound) => bound * hour),
  ...[1, 2, 3, 5, 7, 14].map((bound) => bound * day),
] as const;

/** In ms, for calls to a webhook endpoint, which time out after 15 s. */
export const postingBounds = [
  5, 10, 20, 50, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 15_000,
] as const;

/** The SQL that counts rows by duration, as an array with one element more than there are bounds. */
export function countingSql(
  bounds: readonly number[],
  { took, where }: { took: string; where: string },
): string {
  const counts = [...bounds, undefined].map((bound, index) => {
    const from = index === 0 ? "" : ` and ${took} >= ${bounds[index - 1]}`;
    const to = bound === undefined ? "" : ` and ${took} < ${bound}`;
    return `count(*) filter (where ${where}${from}${to})::int`;
  });
  return `array[${counts.join(", ")}]`;
}

/** The SQL of an array from its elements. */
export function eachSql(bounds: readonly number[], element: (place: number) => string): string {
  return `array[${[...bounds, undefined].map((_, index) => element(index + 1)).join(", ")}]`;
}

/** An estimate of a percentile: durations are assumed to spread evenly between two bounds. */
export function quantile(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [index, count] of counts.entries()) {
    const from = bounds[index - 1] ?? 0;
    const to = bounds[index];
    // Above the last bound, only the bound is known.
    if (to === undefined) return from;
    if (left <= count) return Math.round(from + ((to - from) * left) / count);
    left -= count;
  }
  return bounds.at(-1) ?? null;
}
