// The days of a statement: a month, or the first and the last day. Pure.

import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";

/** From the start of the first day to the end of the last one, in UTC. */
export type StatementPeriod = { fromMs: number; toMs: number };

const dayMs = 86_400_000;

type Days = { month?: string; from?: string; to?: string };

/** Default: the current month. Throws BALA114 for days that are no range. */
export function readStatementPeriod({ month, from, to }: Days, nowMs: number): StatementPeriod {
  if (from === undefined && to === undefined) {
    const [year, number] = (month ?? isoDay(nowMs)).split("-").map(Number) as [number, number];
    return { fromMs: Date.UTC(year, number - 1), toMs: Date.UTC(year, number) };
  }
  const fromMs = Date.parse(`${from}T00:00:00Z`);
  const toMs = Date.parse(`${to}T00:00:00Z`) + dayMs;
  const days = (toMs - fromMs) / dayMs;
  // Also false where one of the two days is missing.
  const isRange = days >= 1 && days <= limits.reconcileDaysMax;
  if (month !== undefined || !isRange) throw new Refusal([problem("BALA114", "from")]);
  return { fromMs, toMs };
}

/** The last day is part of the statement. */
export function lastStatementDay({ toMs }: StatementPeriod): string {
  return isoDay(toMs - 1);
}

export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The name of a file with the statement: `statement-AUD-2026-10`, or with the first and the last day. */
export function statementFileName(currency: string, period: StatementPeriod): string {
  const [first, last] = [isoDay(period.fromMs), lastStatementDay(period)];
  const month = first.slice(0, 7);
  const whole = readStatementPeriod({ month }, 0);
  const isMonth = whole.fromMs === period.fromMs && whole.toMs === period.toMs;
  return `statement-${currency}-${isMonth ? month : `${first}-to-${last}`}`;
}
