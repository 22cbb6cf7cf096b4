// Converts chosen days to timestamps in the chosen time zone.

import { daysOf, isPeriod } from "./period.ts";
import type { Zone } from "./zone.ts";

type Days = { period?: string | undefined; from?: string | undefined; to?: string | undefined };

/** From the start of the first day to the end of the last one (exclusive). A named period replaces the days. */
export function momentsOf(days: Days, zone: Zone): { from?: number; to?: number } {
  const { from, to } = isPeriod(days.period) ? daysOf(days.period, Date.now(), zone) : days;
  const fromMs = startOf(from, zone, 0);
  const toMs = startOf(to, zone, 1);
  return { ...(fromMs !== undefined && { from: fromMs }), ...(toMs !== undefined && { to: toMs }) };
}

function startOf(day: string | undefined, zone: Zone, daysLater: number): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "")?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const parts = [year, month - 1, date + daysLater] as const;
  return zone === "utc" ? Date.UTC(...parts) : new Date(...parts).getTime();
}
