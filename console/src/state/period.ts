// Named periods for filters, such as "last month", as days of the chosen time zone. Pure.

import { timeZoneOf, type Zone } from "./zone.ts";

export const periods = [
  ...(["today", "yesterday", "last_7_days", "last_30_days"] as const),
  ...(["this_month", "last_month", "this_year"] as const),
] as const;
export type NamedPeriod = (typeof periods)[number];

export function isPeriod(text: string | undefined): text is NamedPeriod {
  return (periods as readonly string[]).includes(text ?? "");
}

/** The first and the last day, as filters have them. */
export function daysOf(
  period: NamedPeriod,
  nowMs: number,
  zone: Zone,
): { from: string; to: string } {
  const timeZone = timeZoneOf(zone);
  const format = new Intl.DateTimeFormat("en-CA", timeZone ? { timeZone } : {});
  const today = format.format(nowMs);
  const [year = 0, month = 0, date = 0] = today.split("-").map(Number);
  // Days are counted as if they were in UTC: no day is skipped or doubled when clocks change.
  const day = (y: number, m: number, d: number) =>
    new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);
  switch (period) {
    case "today":
      return { from: today, to: today };
    case "yesterday":
      return { from: day(year, month, date - 1), to: day(year, month, date - 1) };
    case "last_7_days":
      return { from: day(year, month, date - 6), to: today };
    case "last_30_days":
      return { from: day(year, month, date - 29), to: today };
    case "this_month":
      return { from: day(year, month, 1), to: today };
    case "last_month":
      return { from: day(year, month - 1, 1), to: day(year, month, 0) };
    case "this_year":
      return { from: day(year, 1, 1), to: today };
  }
}

/** Choosing a period removes the days, and the other way round. */
export function withoutOtherDays(
  name: string,
  value: string | undefined,
): Record<string, string | undefined> {
  if (value === undefined) return {};
  if (name === "period") return { from: undefined, to: undefined };
  return name === "from" || name === "to" ? { period: undefined } : {};
}
