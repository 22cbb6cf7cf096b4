// Months in UTC, as the ledger has them: "2026-10".

import { dateFormat } from "../state/locale.ts";
import { reconcileTexts } from "../texts/reconcile.ts";

export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

export function monthsLater(month: string, count: number): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return monthOf(Date.UTC(year, number - 1 + count));
}

const long = dateFormat({
  month: "long",
  year: "numeric",
  timeZone: reconcileTexts.utc,
});
const short = dateFormat({
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: reconcileTexts.utc,
});

/** "October 2026" */
export function monthText(month: string): string {
  return long.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** "Thu, 1 Oct", in UTC. */
export function dayText(ms: number): string {
  return short.format(ms);
}
