// Banking days of each clearing, by published dates and by the library where it is right.

import Holidays from "date-holidays";
import { describe, expect, test } from "vitest";
import {
  addBankingDays,
  bankingCalendar,
  clearingDayFrom,
  isBankingDay,
  isClearingDay,
  nextBankingDay,
} from "../../src/calendars/banking-days.ts";
import { addDays, easterOf, weekdayOf } from "../../src/calendars/dates.ts";
import type { CalendarName } from "../../src/calendars/holidays.ts";

const years = Array.from({ length: 12 }, (_, index) => 2024 + index);

function daysOf(year: number): string[] {
  const days: string[] = [];
  for (let day = `${year}-01-01`; day.startsWith(`${year}`); day = addDays(day, 1)) days.push(day);
  return days;
}

const isWeekday = (date: string) => weekdayOf(date) !== 0 && weekdayOf(date) !== 6;

/** The days from Monday to Friday on which a clearing is closed. */
function closedDays(name: CalendarName, year: number): string[] {
  const calendar = bankingCalendar(name);
  return daysOf(year).filter((day) => isWeekday(day) && !isBankingDay(calendar, day));
}

/** The library's public holidays from Monday to Friday. */
function libraryDays(year: number, country: string, state?: string): string[] {
  const library = state ? new Holidays(country, state) : new Holidays(country);
  const days = library
    .getHolidays(year)
    .filter(({ type }) => type === "public")
    .map(({ date }) => date.slice(0, 10));
  return [...new Set(days)].filter(isWeekday).sort();
}

describe("published dates", () => {
  test.each<[CalendarName, number, string]>([
    ["becs", 2026, "01-01 01-26 04-03 04-06 06-08 12-25 12-28"],
    ["becs", 2027, "01-01 01-26 03-26 03-29 06-14 12-27 12-28"],
    ["becs", 2028, "01-03 01-26 04-14 04-17 04-25 06-12 12-25 12-26"],
    ["target", 2026, "01-01 04-03 04-06 05-01 12-25"],
    ["target", 2027, "01-01 03-26 03-29"],
    ["fedach", 2026, "01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25"],
    ["fedach", 2027, "01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25"],
    ["bacs", 2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28"],
    ["bacs", 2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28"],
    ["nz", 2026, "01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28"],
    ["nz", 2027, "01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28"],
  ])("%s in %i", (name, year, dates) => {
    expect(closedDays(name, year)).toEqual(dates.split(" ").map((date) => `${year}-${date}`));
  });

  test.each(["2026-04-27", "2026-10-05", "2026-03-09", "2026-09-25", "2026-11-03"])(
    "BECS is open on %s, a holiday in one state only",
    (date) => {
      expect(isBankingDay(bankingCalendar("becs"), date)).toBe(true);
    },
  );

  test.each(["2027-06-18", "2027-12-24", "2027-12-31"])(
    "FedACH is open on %s, the Friday before a Saturday's holiday",
    (date) => {
      expect(isBankingDay(bankingCalendar("fedach"), date)).toBe(true);
    },
  );
});

describe.each(years)("the library agrees in %i", (year) => {
  test("BECS: holidays of New South Wales and Victoria", () => {
    const victoria = libraryDays(year, "AU", "VIC");
    const both = libraryDays(year, "AU", "NSW").filter((date) => victoria.includes(date));
    expect(closedDays("becs", year)).toEqual(both);
  });

  test("New Zealand", () => {
    expect(closedDays("nz", year)).toEqual(libraryDays(year, "NZ"));
  });

  test("FedACH, but for Fridays before a Saturday's holiday, when the library closes", () => {
    const library = libraryDays(year, "US");
    const closed = closedDays("fedach", year);
    // The library leaves Veterans Day on a Sunday. The Federal Reserve closed on 12 November 2018.
    const veterans = closed.filter((date) => date.endsWith("-11-12"));
    expect(closed.filter((date) => !library.includes(date))).toEqual(veterans);
    for (const date of library.filter((day) => !closed.includes(day))) {
      expect([date, weekdayOf(date)]).toEqual([date, 5]);
    }
  });

  test("Bacs: England", () => {
    expect(closedDays("bacs", year)).toEqual(libraryDays(year, "GB", "ENG"));
  });
});

test("Easter falls on its published days", () => {
  const published =
    "2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25";
  expect(years.map(easterOf).join(" ")).toBe(published);
  // The two years of the rule's exceptions.
  expect([easterOf(1981), easterOf(1954)]).toEqual(["1981-04-19", "1954-04-18"]);
});

describe("steps", () => {
  const becs = bankingCalendar("becs");

  test("the next banking day is after weekends, holidays and days that the operator closes", () => {
    expect(nextBankingDay(becs, "2026-12-24")).toBe("2026-12-29");
    const closed = bankingCalendar("becs", ["2026-12-29"]);
    expect(nextBankingDay(closed, "2026-12-24")).toBe("2026-12-30");
    expect(isBankingDay(closed, "2026-12-29")).toBe(false);
  });

  test("banking days are counted from any day", () => {
    expect(addBankingDays(becs, "2026-04-02", 1)).toBe("2026-04-07");
    expect(addBankingDays(becs, "2026-04-04", 2)).toBe("2026-04-08");
    expect(addBankingDays(becs, "2026-04-04", 0)).toBe("2026-04-04");
  });

  test("New Zealand clears every day, but for days that the operator closes", () => {
    const nz = bankingCalendar("nz", ["2026-12-27"]);
    expect(isClearingDay(nz, "2026-12-25")).toBe(true);
    expect(isBankingDay(nz, "2026-12-25")).toBe(false);
    expect(clearingDayFrom(nz, "2026-12-26")).toBe("2026-12-26");
    expect(clearingDayFrom(nz, "2026-12-27")).toBe("2026-12-28");
    expect(clearingDayFrom(becs, "2026-12-25")).toBe("2026-12-29");
  });

  test.each(["2026-02-29", "2026-13-01", "26-01-01", ""])("%j is no date", (date) => {
    expect(() => isBankingDay(becs, date)).toThrow(RangeError);
  });
});
