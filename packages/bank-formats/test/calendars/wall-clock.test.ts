// Wall-clock times across daylight saving: what clocks show, and when they show it.

import { describe, expect, test } from "vitest";
import { instantOf, isTimeZone, wallClockAt } from "../../src/calendars/wall-clock.ts";

const utc = (date: string, time: string, timeZone: string) =>
  new Date(instantOf(date, time, timeZone)).toISOString();

describe("the instant of a wall-clock time", () => {
  test.each([
    ["summer in Sydney", "2026-11-16", "18:00", "Australia/Sydney", "2026-11-16T07:00:00.000Z"],
    ["winter in Sydney", "2026-06-15", "18:00", "Australia/Sydney", "2026-06-15T08:00:00.000Z"],
    ["UTC", "2026-06-15", "18:00", "UTC", "2026-06-15T18:00:00.000Z"],
    ["before a gap", "2026-03-08", "01:59", "America/New_York", "2026-03-08T06:59:00.000Z"],
    ["in a gap", "2026-03-08", "02:30", "America/New_York", "2026-03-08T07:00:00.000Z"],
    ["after a gap", "2026-03-08", "03:00", "America/New_York", "2026-03-08T07:00:00.000Z"],
    ["before an overlap", "2026-11-01", "00:30", "America/New_York", "2026-11-01T04:30:00.000Z"],
    ["in an overlap", "2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["after an overlap", "2026-11-01", "02:00", "America/New_York", "2026-11-01T07:00:00.000Z"],
    ["a short gap", "2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"],
    ["a day left out", "2011-12-30", "12:00", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s", (_, date, time, timeZone, instant) => {
    expect(utc(date, time, timeZone)).toBe(instant);
  });

  test("what is no date or time is refused", () => {
    expect(() => instantOf("2026-02-28", "25:00", "UTC")).toThrow(RangeError);
    expect(() => instantOf("2026-13-01", "12:00", "UTC")).toThrow(RangeError);
  });
});

test.each(["Australia/Sydney", "Pacific/Auckland", "Europe/London", "America/New_York"])(
  "what clocks in %s show leads back to its instant",
  (timeZone) => {
    for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 3_600_000 * 7) {
      const { date, time } = wallClockAt(ms, timeZone);
      // The second hour of an overlap shows the times of the first.
      expect([ms, ms - 3_600_000]).toContain(instantOf(date, time, timeZone));
    }
  },
);

test("midnight is 00:00 of the day that begins", () => {
  expect(wallClockAt(Date.parse("2026-11-15T13:00:00Z"), "Australia/Sydney")).toEqual({
    date: "2026-11-16",
    time: "00:00:00",
  });
});

test.each([
  ["Australia/Sydney", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["+10:00", false],
  ["", false],
])("%j as a time zone: %s", (name, isZone) => {
  expect(isTimeZone(name)).toBe(isZone);
});
