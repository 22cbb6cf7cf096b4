// The time ranges that the overview reads: its buckets, today, yesterday and the last days. Pure.

import { daysUntil, type Period, type Piece, piecesOf } from "../rollups/time-ranges.ts";

/** The buckets of a range count from 0. These are extra ones. */
export const today = -1;
/** Up to the same time of day as now. */
export const yesterday = -2;
/** The last days, for the average per day. */
export const lately = -3;
export const latelyDays = 7;

export function daysBeside(nowMs: number, timeZone: string): Piece[] {
  const days = daysUntil(nowMs, timeZone, latelyDays + 1);
  const [first, before, day] = [days[0], days.at(-2), days.at(-1)] as [Period, Period, Period];
  const toMs = Math.min(before.fromMs + (nowMs - day.fromMs), before.toMs);
  return [
    ...piecesOf(day, today),
    ...piecesOf({ fromMs: before.fromMs, toMs }, yesterday),
    ...piecesOf({ fromMs: first.fromMs, toMs: day.fromMs }, lately),
  ];
}
