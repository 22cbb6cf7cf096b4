// Days of the calendar as YYYY-MM-DD, without times and time zones.

const dayMs = 86_400_000;

/** Milliseconds of a day's start in UTC. Days that don't exist, such as 2026-02-30, are refused. */
function toMs(date: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (!Number.isFinite(ms) || fromMs(ms) !== date) throw new RangeError("not a date as YYYY-MM-DD");
  return ms;
}

function fromMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return fromMs(toMs(date) + days * dayMs);
}

/** 0 is Sunday, 6 is Saturday. */
export function weekdayOf(date: string): number {
  return new Date(toMs(date)).getUTCDay();
}

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** The day of a month, both from 1. */
export function dayOfMonth(year: number, month: number, day: number): string {
  return fromMs(Date.UTC(year, month - 1, day));
}

/** The nth of a weekday in a month; counted from the end where `nth` is -1. */
export function nthWeekdayOf(year: number, month: number, weekday: number, nth: number): string {
  if (nth === -1) {
    const last = dayOfMonth(year, month + 1, 0);
    return addDays(last, -((weekdayOf(last) - weekday + 7) % 7));
  }
  const first = dayOfMonth(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

/** Easter Sunday of the western churches, by the rule of Meeus, Jones and Butcher. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leap = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const h = (19 * golden + leap + 15) % 30;
  const isLate = h === 29 || (h === 28 && golden > 10);
  // Days from 21 March to the full moon.
  const moon = isLate ? h - 1 : h;
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  return dayOfMonth(year, 3, 28 + moon - weekday);
}
