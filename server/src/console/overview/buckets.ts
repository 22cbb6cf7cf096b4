// Which times the overview asks for: those of its range, and beside them today and the days before. Pure.

import { daysUntil, type Period, type Piece, piecesOf } from "../rollups/time-ranges.ts";

/** The buckets of a range count from 0; these stand beside them. */
export const today = -1;
/** Until the time that it is now. */
export const yesterday = -2;
/** The days before today by which a usual day is known. */
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
