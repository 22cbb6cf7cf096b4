// Banking days of each clearing, and cut-offs as wall-clock times.

export {
  addBankingDays,
  type BankingCalendar,
  bankingCalendar,
  clearingDayBefore,
  isBankingDay,
  isClearingDay,
  nextBankingDay,
} from "./banking-days.ts";
export { type Clearing, expectedArrival, processDateFor } from "./cut-offs.ts";
export { addDays, weekdayOf } from "./dates.ts";
export { type CalendarName, calendarNames } from "./holidays.ts";
export { instantOf, isTimeZone, wallClockAt } from "./wall-clock.ts";
