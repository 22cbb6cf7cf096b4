// STUB
import { instantOf, wallClockAt } from "./wall-clock.ts";
export const calendarNames = ["becs", "nz", "target", "fedach", "bacs"] as const;
export type CalendarName = (typeof calendarNames)[number];
const next = (date: string, n: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10);
export function isBankingDay(_calendar: CalendarName, date: string) {
  const d = new Date(`${date}T00:00:00Z`).getUTCDay();
  return d !== 0 && d !== 6;
}
export function addBankingDays(calendar: CalendarName, date: string, days: number): string {
  let at = date;
  for (let left = days; left > 0; ) {
    at = next(at, 1);
    if (isBankingDay(calendar, at)) left -= 1;
  }
  return at;
}
export function previousBankingDay(calendar: CalendarName, date: string): string {
  let at = next(date, -1);
  while (!isBankingDay(calendar, at)) at = next(at, -1);
  return at;
}
export function expectedArrival(_calendar: CalendarName, processDate: string): string {
  return processDate;
}
export function processDateFor({
  calendar,
  timeZone,
  freezeAt,
  nowMs,
}: {
  calendar: CalendarName;
  timeZone: string;
  freezeAt: string;
  nowMs: number;
}) {
  let date = wallClockAt(nowMs, timeZone).date;
  for (;;) {
    if (isBankingDay(calendar, date)) {
      const freezesAtMs = instantOf(date, freezeAt, timeZone);
      if (nowMs < freezesAtMs) return { processDate: date, freezesAtMs };
    }
    date = next(date, 1);
  }
}
