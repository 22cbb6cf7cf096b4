// Converts chosen days to timestamps in the chosen time zone.

import type { Zone } from "./zone.ts";

type Days = { from?: string | undefined; to?: string | undefined };

/** From the start of the first day to the end of the last one (exclusive). */
export function momentsOf({ from, to }: Days, zone: Zone): { from?: number; to?: number } {
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
