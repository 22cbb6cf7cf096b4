// Dates of birth as the publishers of lists write them. Each becomes YYYY, YYYY-MM, YYYY-MM-DD or YYYY/YYYY. Pure.

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthName = `(?:${months.join("|")})[a-z]*`;
const year = "(?:18[5-9]\\d|19\\d\\d|20[0-4]\\d)";

/** One date in one of the forms that we have seen. Unknown parts are written as 00, dd or mm. */
const oneDate = new RegExp(
  [
    `(?<isoYear>${year})-(?<isoMonth>\\d\\d)(?:-(?<isoDay>\\d\\d))?(?!\\d|-)`,
    `(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s.,-]*(?<month>${monthName})[\\s.,-]*(?<dayYear>${year})(?!\\d)`,
    `(?<usMonth>${monthName})[\\s.]+(?<usDay>\\d{1,2})(?:st|nd|rd|th)?[\\s,]+(?<usYear>${year})(?!\\d)`,
    `(?<onlyMonth>${monthName})[\\s.,-]*(?<monthYear>${year})(?!\\d)`,
    `(?<!\\d)(?<numberDay>\\d{1,2}|dd)[/.-](?<numberMonth>\\d{1,2}|mm)[/.-](?<numberYear>${year})(?!\\d)`,
    `(?<!\\d)(?<onlyYear>${year})(?!\\d)`,
  ].join("|"),
  "gi",
);

const approximately =
  /(?:circa|\bca?\.|approximately|approx\.?|about|around|early|late|mid-?)\s*$/i;

/** An approximate year may be this much earlier or later. */
const approximateYears = 2;

type Found = { date: string; start: number; end: number };

/** Every date in a text such as "a) 14 Jun 1975 b) approximately 1955-1958". */
export function readBirthDates(text: string): string[] {
  const found = [...text.matchAll(oneDate)].flatMap(toFound);
  const dates: string[] = [];
  for (let index = 0; index < found.length; index += 1) {
    const one = found[index] as Found;
    const next = found[index + 1];
    const before = text.slice(0, one.start);
    if (next && isRange(before, text.slice(one.end, next.start), one, next)) {
      dates.push(yearRange(yearOf(one.date), yearOf(next.date)));
      index += 1;
    } else {
      dates.push(closed(text.slice(one.end), one.date) ?? approximate(before, one.date));
    }
  }
  return dates;
}

/** "1955 to 1958", "1955-1958", "between 1955 and 1958". */
function isRange(before: string, between: string, one: Found, next: Found): boolean {
  if (yearOf(one.date) > yearOf(next.date)) return false;
  if (/^\s*(?:[-–—]|to|until)\s*$/i.test(between)) return true;
  return /^\s*and\s*$/i.test(between) && /(?:between|from)\s*$/i.test(before);
}

/** "1960-61", of which the second year has no century. */
function closed(after: string, date: string): string | undefined {
  const [, short] = /^\s?[-–/](\d\d)(?!\d)/.exec(after) ?? [];
  if (short === undefined || date.length !== 4) return undefined;
  const to = Number(date.slice(0, 2) + short);
  return to > Number(date) ? yearRange(Number(date), to) : undefined;
}

function approximate(before: string, date: string): string {
  return approximately.test(before) && date.length === 4 ? aroundYear(Number(date)) : date;
}

/** The years around one that the publisher calls approximate. */
export function aroundYear(middle: number): string {
  return yearRange(middle - approximateYears, middle + approximateYears);
}

export function yearRange(from: number, to: number): string {
  return from === to ? String(from) : `${from}/${to}`;
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

function toFound(match: RegExpMatchArray): Found[] {
  const part = match.groups ?? {};
  const start = match.index ?? 0;
  const at = { start, end: start + match[0].length };
  const date =
    isoDate(part) ??
    calendarDate(part.dayYear, monthOf(part.month), Number(part.day)) ??
    calendarDate(part.usYear, monthOf(part.usMonth), Number(part.usDay)) ??
    calendarDate(part.monthYear, monthOf(part.onlyMonth), 0) ??
    numberDate(part) ??
    part.onlyYear;
  return date ? [{ date, ...at }] : [];
}

/** "1964-65" looks like a year and a month, and is two years. */
function isoDate({ isoYear, isoMonth, isoDay }: Record<string, string | undefined>) {
  if (!isoYear) return undefined;
  const month = Number(isoMonth);
  const to = Number(isoYear.slice(0, 2) + isoMonth);
  if (!isoDay && month > 12) return to > Number(isoYear) ? yearRange(Number(isoYear), to) : isoYear;
  return calendarDate(isoYear, month, Number(isoDay ?? 0));
}

/** Day first, as in Australia and the United Kingdom, unless only the other order is possible. */
function numberDate({ numberDay, numberMonth, numberYear }: Record<string, string | undefined>) {
  const day = Number(numberDay) || 0;
  const month = Number(numberMonth) || 0;
  return month > 12 && day <= 12
    ? calendarDate(numberYear, day, month)
    : calendarDate(numberYear, month, day);
}

function monthOf(name: string | undefined): number {
  return name ? months.indexOf(name.slice(0, 3).toLowerCase()) + 1 : 0;
}

/** A day that does not exist is left out, and so is a month. */
function calendarDate(yearText: string | undefined, month: number, day: number) {
  if (!yearText) return undefined;
  if (month < 1 || month > 12) return yearText;
  const monthText = `${yearText}-${String(month).padStart(2, "0")}`;
  const days = new Date(Date.UTC(Number(yearText), month, 0)).getUTCDate();
  return day >= 1 && day <= days ? `${monthText}-${String(day).padStart(2, "0")}` : monthText;
}
