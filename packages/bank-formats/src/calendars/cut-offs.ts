// Cut-offs: on which day a payment is processed, and when the receiver has the money.

import { addBankingDays, type BankingCalendar, clearingDayFrom } from "./banking-days.ts";
import { addDays } from "./dates.ts";
import { instantOf, wallClockAt } from "./wall-clock.ts";

export type CutOff = {
  calendar: BankingCalendar;
  /** IANA name, such as Australia/Sydney. */
  timeZone: string;
  /** HH:MM on the clocks of the time zone. */
  freezeAt: string;
  nowMs: number;
};

/** A payment that comes at the very instant of the freeze is too late for its day. */
export function processDateFor(cutOff: CutOff): { processDate: string; freezesAtMs: number } {
  const { calendar, timeZone, freezeAt, nowMs } = cutOff;
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(freezeAt)) throw new RangeError("not a time as HH:MM");
  const { date: today } = wallClockAt(nowMs, timeZone);
  const isLate = nowMs >= instantOf(today, freezeAt, timeZone);
  const processDate = clearingDayFrom(calendar, isLate ? addDays(today, 1) : today);
  return { processDate, freezesAtMs: instantOf(processDate, freezeAt, timeZone) };
}

export type Clearing = "becs" | "nz" | "sepa" | "fedach" | "bacs" | "faster_payments";

/**
 * Banking days from the process date to the receiver's money. SEPA and standard ACH settle on the next one. Bacs takes
 * three days: entry, processing, credit.
 */
const arrivalDays: Readonly<Record<Clearing, number>> = {
  becs: 0,
  nz: 0,
  sepa: 1,
  fedach: 1,
  bacs: 2,
  faster_payments: 0,
};

export function expectedArrival(
  clearing: Clearing,
  calendar: BankingCalendar,
  processDate: string,
): string {
  return addBankingDays(calendar, processDate, arrivalDays[clearing]);
}
