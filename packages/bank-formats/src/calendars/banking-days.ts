// Banking days: Monday to Friday without the holidays of a clearing and without days that the operator closes.

import { addDays, weekdayOf, yearOf } from "./dates.ts";
import { type CalendarName, holidaysOf } from "./holidays.ts";

/** Dates are YYYY-MM-DD. */
export type BankingCalendar = {
  name: CalendarName;
  /** Closed beside the rules, such as a day of mourning. */
  closedDays: ReadonlySet<string>;
};

export function bankingCalendar(
  name: CalendarName,
  closedDays: Iterable<string> = [],
): BankingCalendar {
  return { name, closedDays: new Set(closedDays) };
}

export function isBankingDay({ name, closedDays }: BankingCalendar, date: string): boolean {
  const weekday = weekdayOf(date);
  if (weekday === 0 || weekday === 6 || closedDays.has(date)) return false;
  return !holidaysOf(name, yearOf(date)).has(date);
}

/** Whether files are processed. New Zealand clears on 365 days; the others on banking days. */
export function isClearingDay(calendar: BankingCalendar, date: string): boolean {
  if (calendar.name !== "nz") return isBankingDay(calendar, date);
  return !calendar.closedDays.has(date);
}

/** The first banking day after a date. */
export function nextBankingDay(calendar: BankingCalendar, date: string): string {
  return firstDay(addDays(date, 1), (day) => isBankingDay(calendar, day));
}

/** The date, or the first day after it on which files are processed. */
export function clearingDayFrom(calendar: BankingCalendar, date: string): string {
  return firstDay(date, (day) => isClearingDay(calendar, day));
}

/** The last day before a date on which files are processed. */
export function clearingDayBefore(calendar: BankingCalendar, date: string): string {
  let day = addDays(date, -1);
  while (!isClearingDay(calendar, day)) day = addDays(day, -1);
  return day;
}

/** The nth banking day after a date; the date itself where n is 0. */
export function addBankingDays(calendar: BankingCalendar, date: string, days: number): string {
  let day = date;
  for (let count = 0; count < days; count += 1) day = nextBankingDay(calendar, day);
  return day;
}

function firstDay(from: string, isOpen: (date: string) => boolean): string {
  let day = from;
  while (!isOpen(day)) day = addDays(day, 1);
  return day;
}
