// When a new token expires. Pure.

import { momentsOf } from "../state/day-range.ts";
import { timeZoneOf, type Zone } from "../state/zone.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** In so many days, or at the end of a day. */
export function expiresAtOf(
  { span, day }: { span: string; day: string },
  nowMs: number,
  zone: Zone,
): number | undefined {
  if (span === "date") return momentsOf({ to: day }, zone).to;
  // An hour less than the longest: the clock of the browser may be ahead of the service's.
  return nowMs + Number(span) * dayMs - (span === "90" ? hourMs : 0);
}

/** As a field of a date has it: "2026-11-15". */
export function isoDayIn(days: number, nowMs: number, zone: Zone): string {
  const timeZone = timeZoneOf(zone);
  return new Intl.DateTimeFormat("en-CA", timeZone ? { timeZone } : {}).format(
    nowMs + days * dayMs,
  );
}
