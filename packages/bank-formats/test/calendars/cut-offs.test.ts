// Cut-offs: the process date of a payment, across daylight saving and holidays, and when its money arrives.

import { describe, expect, test } from "vitest";
import { bankingCalendar } from "../../src/calendars/banking-days.ts";
import { type Clearing, expectedArrival, processDateFor } from "../../src/calendars/cut-offs.ts";
import type { CalendarName } from "../../src/calendars/holidays.ts";

function processDate(
  name: CalendarName,
  timeZone: string,
  freezeAt: string,
  now: string,
  closedDays: string[] = [],
): string {
  const calendar = bankingCalendar(name, closedDays);
  const found = processDateFor({ calendar, timeZone, freezeAt, nowMs: Date.parse(now) });
  return `${found.processDate} ${new Date(found.freezesAtMs).toISOString()}`;
}

describe("18:00 in Sydney", () => {
  test.each([
    ["2026-11-16T06:59:59Z", "2026-11-16 2026-11-16T07:00:00.000Z"],
    ["2026-11-16T07:00:00Z", "2026-11-17 2026-11-17T07:00:00.000Z"],
    ["2026-06-15T07:59:59Z", "2026-06-15 2026-06-15T08:00:00.000Z"],
    ["2026-06-15T08:00:00Z", "2026-06-16 2026-06-16T08:00:00.000Z"],
    // Sunday evening in UTC is Monday morning.
    ["2026-11-15T20:00:00Z", "2026-11-16 2026-11-16T07:00:00.000Z"],
    // Over Easter the clocks go back.
    ["2026-04-02T07:00:00Z", "2026-04-07 2026-04-07T08:00:00.000Z"],
    // Clocks go forward on Sunday.
    ["2026-10-02T08:00:00Z", "2026-10-05 2026-10-05T07:00:00.000Z"],
  ])("%s goes to %s", (now, expected) => {
    expect(processDate("becs", "Australia/Sydney", "18:00", now)).toBe(expected);
  });

  test("days that the operator closes are left out", () => {
    const now = "2026-11-16T07:00:00Z";
    expect(processDate("becs", "Australia/Sydney", "18:00", now, ["2026-11-17"])).toBe(
      "2026-11-18 2026-11-18T07:00:00.000Z",
    );
  });
});

test("New Zealand processes files on Christmas", () => {
  expect(processDate("nz", "Pacific/Auckland", "21:00", "2026-12-25T07:59:59Z")).toBe(
    "2026-12-25 2026-12-25T08:00:00.000Z",
  );
});

test("a freeze in the hour that is left out comes when the clocks go forward", () => {
  expect(processDate("nz", "America/New_York", "02:30", "2026-03-08T06:59:59Z")).toBe(
    "2026-03-08 2026-03-08T07:00:00.000Z",
  );
  expect(processDate("nz", "America/New_York", "02:30", "2026-03-08T07:00:00Z")).toBe(
    "2026-03-09 2026-03-09T06:30:00.000Z",
  );
});

test("a freeze in the hour that comes twice is in the first", () => {
  expect(processDate("nz", "America/New_York", "01:30", "2026-11-01T05:30:00Z")).toBe(
    "2026-11-02 2026-11-02T06:30:00.000Z",
  );
});

test.each([
  ["24:00", "Australia/Sydney"],
  ["18:00:00", "Australia/Sydney"],
  ["18:00", "Sydney"],
])("%s in %s is refused", (freezeAt, timeZone) => {
  expect(() => processDate("becs", timeZone, freezeAt, "2026-11-16T07:00:00Z")).toThrow(RangeError);
});

test.each<[Clearing, CalendarName, string, string]>([
  ["becs", "becs", "2026-11-16", "2026-11-16"],
  ["nz", "nz", "2026-12-25", "2026-12-25"],
  ["sepa", "target", "2026-04-02", "2026-04-07"],
  ["fedach", "fedach", "2026-11-25", "2026-11-27"],
  ["bacs", "bacs", "2026-11-19", "2026-11-23"],
  ["bacs", "bacs", "2026-12-23", "2026-12-29"],
  ["faster_payments", "bacs", "2026-11-16", "2026-11-16"],
])("a payment by %s (%s) of %s arrives on %s", (clearing, name, date, arrival) => {
  expect(expectedArrival(clearing, bankingCalendar(name), date)).toBe(arrival);
});
