// What the clocks of a time zone show at an instant, and when they show a time. Over Intl, because Node 24 has no Temporal.

const formatters = new Map<string, Intl.DateTimeFormat>();

const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** An IANA name, such as Australia/Sydney. Offsets such as +10:00 are none: they don't know daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** The date as YYYY-MM-DD and the time as HH:MM:SS. */
export type WallClock = { date: string; time: string };

export function wallClockAt(ms: number, timeZone: string): WallClock {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type as string, value]),
  );
  const [year, month, day, hour, minute, second] = [
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
  ].map((type) => parts.get(type));
  return {
    date: `${year?.padStart(4, "0")}-${month}-${day}`,
    time: `${hour}:${minute}:${second}`,
  };
}

/** Milliseconds by which the clocks are ahead of UTC. */
function offsetAt(ms: number, timeZone: string): number {
  const { date, time } = wallClockAt(ms, timeZone);
  return Date.parse(`${date}T${time}Z`) - Math.floor(ms / 1000) * 1000;
}

const dayMs = 86_400_000;

/**
 * The first instant at which the clocks show this time or a later one of that date. So a time that comes twice, when the
 * clocks go back, is the first of the two, and one that is left out is the instant at which they go forward.
 */
export function instantOf(date: string, time: string, timeZone: string): number {
  const asUtc = Date.parse(`${date}T${time}Z`);
  if (!Number.isFinite(asUtc)) throw new RangeError("not a date and a time");
  const before = offsetAt(asUtc - dayMs, timeZone);
  const after = offsetAt(asUtc + dayMs, timeZone);
  if (asUtc - before <= asUtc - after) {
    // The clocks go back, or stay.
    const first = asUtc - before;
    return offsetAt(first, timeZone) === before ? first : asUtc - after;
  }
  // The clocks go forward, between these two at the latest.
  const [early, late] = [asUtc - after, asUtc - before];
  if (offsetAt(early, timeZone) === after) return early;
  return offsetAt(late, timeZone) === before ? late : changeBetween(early, late, timeZone);
}

/** The instant between the two at which the clocks are changed. */
function changeBetween(early: number, late: number, timeZone: string): number {
  const offset = offsetAt(early, timeZone);
  let [unchanged, changed] = [early, late];
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2);
    if (offsetAt(middle, timeZone) === offset) unchanged = middle;
    else changed = middle;
  }
  return changed;
}
