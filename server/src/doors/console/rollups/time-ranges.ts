// Splits times into the ranges of the roll-ups: whole hours, and quarters of an hour if a time zone needs them. Pure.

export const hourMs = 3_600_000;
export const quarterMs = 900_000;
export const dayMs = 24 * hourMs;

/** From the first, up to but without the second. */
export type Period = { fromMs: number; toMs: number };

/** Spans of one length, which are part of a bucket. */
export type Piece = Period & { bucket: number; spanMs: number };

/** The fewest possible time ranges. Times are rounded down to a quarter of an hour. */
export function piecesOf({ fromMs, toMs }: Period, bucket: number): Piece[] {
  const from = floor(fromMs, quarterMs);
  const to = floor(toMs, quarterMs);
  const firstHour = Math.min(Math.ceil(from / hourMs) * hourMs, to);
  const lastHour = Math.max(floor(to, hourMs), firstHour);
  const pieces: Piece[] = [
    { bucket, spanMs: quarterMs, fromMs: from, toMs: firstHour },
    { bucket, spanMs: hourMs, fromMs: firstHour, toMs: lastHour },
    { bucket, spanMs: quarterMs, fromMs: lastHour, toMs: to },
  ];
  return pieces.filter((piece) => piece.fromMs < piece.toMs);
}

function floor(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}

export const timeRanges = ["24h", "7d", "30d", "90d"] as const;
export type TimeRange = (typeof timeRanges)[number];

/** The hours or the days of a range, the current one last. Days are those of the time zone. */
export function bucketsOf(range: TimeRange, nowMs: number, timeZone: string): Period[] {
  if (range === "24h") {
    const offsetMs = offsetOf(timeZone, nowMs);
    const lastMs = floor(nowMs + offsetMs, hourMs) - offsetMs;
    return Array.from({ length: 24 }, (_, index) => {
      const fromMs = lastMs - (23 - index) * hourMs;
      return { fromMs, toMs: fromMs + hourMs };
    });
  }
  return daysUntil(nowMs, timeZone, Number.parseInt(range, 10));
}

/** The last days of the time zone, today last. */
export function daysUntil(atMs: number, timeZone: string, count: number): Period[] {
  const todayMs = floor(atMs + offsetOf(timeZone, atMs), dayMs);
  const edges = Array.from({ length: count + 1 }, (_, index) =>
    toUtc(todayMs + (index - count + 1) * dayMs, timeZone),
  );
  return edges.slice(1).map((toMs, index) => ({ fromMs: edges[index] as number, toMs }));
}

/** Caches midnights, because finding one is slow. */
const midnights = new Map<string, number>();
const midnightsMax = 10_000;

/** The time at which clocks of the time zone show this midnight, given as if it were UTC. */
function toUtc(localMs: number, timeZone: string): number {
  const key = `${localMs} ${timeZone}`;
  const known = midnights.get(key);
  if (known !== undefined) return known;
  const guess = localMs - offsetOf(timeZone, localMs);
  // A second pass, because the clocks may have changed between the guess and the result.
  const ms = localMs - offsetOf(timeZone, guess);
  if (midnights.size >= midnightsMax) midnights.clear();
  midnights.set(key, ms);
  return ms;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset from UTC, in whole quarters of an hour. */
function offsetOf(timeZone: string, atMs: number): number {
  if (timeZone === "UTC") return 0;
  const parts = formatOf(timeZone).formatToParts(atMs);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"));
  return floor(shown - floor(atMs, 60_000), quarterMs);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  // Names are case-insensitive, and each must be cached once.
  const name = timeZone.toLowerCase();
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    formats.set(name, format);
  }
  return format;
}
