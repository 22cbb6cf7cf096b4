// The days on which each clearing is closed beside weekends, as plain rules. Right for 2024 to 2035 and, unless laws change, beyond.

import { addDays, dayOfMonth, easterOf, nthWeekdayOf, weekdayOf } from "./dates.ts";

export const calendarNames = ["becs", "nz", "target", "fedach", "bacs"] as const;
export type CalendarName = (typeof calendarNames)[number];

/** A holiday of a year; undefined where the year has none. */
type HolidayRule = (year: number) => string | undefined;

const sunday = 0;
const monday = 1;
const thursday = 4;
const saturday = 6;

/** How many days later a holiday is kept that falls on a Saturday or a Sunday. */
type Substitute = { saturday: number; sunday: number };

const never: Substitute = { saturday: 0, sunday: 0 };
const nextMonday: Substitute = { saturday: 2, sunday: 1 };
/** Of two holidays in a row: the first takes Monday, the second Tuesday. */
const twoDaysLater: Substitute = { saturday: 2, sunday: 2 };
/** Of the Federal Reserve: Friday before a Saturday stays open. */
const afterSunday: Substitute = { saturday: 0, sunday: 1 };

function fixed(month: number, day: number, substitute: Substitute): HolidayRule {
  return (year) => {
    const date = dayOfMonth(year, month, day);
    const weekday = weekdayOf(date);
    if (weekday === saturday) return addDays(date, substitute.saturday);
    return weekday === sunday ? addDays(date, substitute.sunday) : date;
  };
}

function nth(month: number, weekday: number, count: number): HolidayRule {
  return (year) => nthWeekdayOf(year, month, weekday, count);
}

function easter(days: number): HolidayRule {
  return (year) => addDays(easterOf(year), days);
}

/** Dates that were published, because no rule gives them. */
function published(dates: string): HolidayRule {
  const byYear = new Map(dates.split(/\s+/).map((date) => [Number(date.slice(0, 4)), date]));
  return (year) => byYear.get(year);
}

const last = -1;
const goodFriday = easter(-2);
const easterMonday = easter(1);

/** By the Te Kāhui o Matariki Public Holiday Act 2022. */
const matariki = published(
  `2022-06-24 2023-07-14 2024-06-28 2025-06-20 2026-07-10 2027-06-25 2028-07-14 2029-07-06
   2030-06-21 2031-07-11 2032-07-02 2033-06-24 2034-07-07 2035-06-29 2036-07-18 2037-07-10
   2038-06-25 2039-07-15 2040-07-06 2041-07-19 2042-07-11 2043-07-03 2044-06-24 2045-07-07
   2046-06-29 2047-07-19 2048-07-03 2049-06-25 2050-07-15 2051-06-30 2052-06-21`,
);

const rules: Readonly<Record<CalendarName, readonly HolidayRule[]>> = {
  /** Closed where New South Wales and Victoria both have a holiday. */
  becs: [
    fixed(1, 1, nextMonday),
    fixed(1, 26, nextMonday),
    goodFriday,
    easterMonday,
    // Anzac Day is moved in New South Wales only, and not always.
    fixed(4, 25, never),
    // King's Birthday.
    nth(6, monday, 2),
    fixed(12, 25, twoDaysLater),
    fixed(12, 26, twoDaysLater),
  ],
  /** Public holidays of the whole country; anniversary days of provinces are ordinary days. */
  nz: [
    fixed(1, 1, twoDaysLater),
    fixed(1, 2, twoDaysLater),
    // Waitangi Day and Anzac Day.
    fixed(2, 6, nextMonday),
    fixed(4, 25, nextMonday),
    goodFriday,
    easterMonday,
    // King's Birthday.
    nth(6, monday, 1),
    matariki,
    // Labour Day.
    nth(10, monday, 4),
    fixed(12, 25, twoDaysLater),
    fixed(12, 26, twoDaysLater),
  ],
  target: [
    fixed(1, 1, never),
    goodFriday,
    easterMonday,
    fixed(5, 1, never),
    fixed(12, 25, never),
    fixed(12, 26, never),
  ],
  fedach: [
    fixed(1, 1, afterSunday),
    // Martin Luther King, and Washington's Birthday.
    nth(1, monday, 3),
    nth(2, monday, 3),
    // Memorial Day, Juneteenth, Independence Day, Labor Day, Columbus Day, Veterans Day, Thanksgiving.
    nth(5, monday, last),
    fixed(6, 19, afterSunday),
    fixed(7, 4, afterSunday),
    nth(9, monday, 1),
    nth(10, monday, 2),
    fixed(11, 11, afterSunday),
    nth(11, thursday, 4),
    fixed(12, 25, afterSunday),
  ],
  /** Bank holidays of England and Wales. */
  bacs: [
    fixed(1, 1, nextMonday),
    goodFriday,
    easterMonday,
    // Early May, spring and summer bank holidays.
    nth(5, monday, 1),
    nth(5, monday, last),
    nth(8, monday, last),
    fixed(12, 25, twoDaysLater),
    fixed(12, 26, twoDaysLater),
  ],
};

const holidaysByYear = new Map<string, ReadonlySet<string>>();

/** Every holiday of a year, also those on a weekend. */
export function holidaysOf(name: CalendarName, year: number): ReadonlySet<string> {
  const key = `${name} ${year}`;
  const known = holidaysByYear.get(key);
  if (known) return known;
  const dates = rules[name].map((rule) => rule(year)).filter((date) => date !== undefined);
  const holidays = new Set(dates);
  holidaysByYear.set(key, holidays);
  return holidays;
}
