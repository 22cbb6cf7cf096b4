// Which columns of a CSV statement are the dates, in which format, and which lines come first.

import type { ColumnFacts } from "./column-facts.ts";
import { readCsvDate } from "./dates.ts";
import type { GuessNotes } from "./guess-notes.ts";
import type { CsvMapping } from "./mapping.ts";

export type GuessedDate = { column: ColumnFacts; format: string };

/** Only the United States write the month first. */
type DateHints = { notes: GuessNotes; isAmerican: boolean };

/** The column of the booking, and of the value date where there is one. */
export function guessDates(
  columns: readonly ColumnFacts[],
  hints: DateHints,
): { date: GuessedDate; valueDate: GuessedDate | undefined } | undefined {
  const { notes } = hints;
  const dated = columns.filter(({ dateFormats }) => dateFormats.length > 0);
  const byFit = (use: "date" | "value_date") =>
    dated.toSorted((one, other) => (other.uses.get(use) ?? 0) - (one.uses.get(use) ?? 0));
  const value = byFit("value_date").find(({ uses }) => uses.has("value_date"));
  const booking = byFit("date").find((column) => column !== value) ?? value;
  if (!booking) return undefined;
  const isNamed = booking.uses.has("date");
  const isOnly = dated.length === 1;
  notes.add(
    "date.column",
    isOnly || isNamed ? "likely" : "unsure",
    isNamed ? "the header says date" : `${isOnly ? "the only" : "the first"} column with dates`,
  );
  const format = guessFormat(booking, "date", hints);
  if (!value || value === booking)
    return { date: { column: booking, format }, valueDate: undefined };
  notes.add("value_date.column", "likely", "the header says value date");
  // A bank writes all its dates in the same way.
  const own = value.dateFormats.includes(format) ? format : guessFormat(value, "value_date", hints);
  return { date: { column: booking, format }, valueDate: { column: value, format: own } };
}

function guessFormat(column: ColumnFacts, field: string, { notes, isAmerican }: DateHints): string {
  const { dateFormats } = column;
  const [first = ""] = dateFormats;
  if (dateFormats.length === 1) {
    notes.add(`${field}.format`, "proven", "no other order of day, month and year reads all dates");
    return first;
  }
  const sorted = dateFormats.filter((format) => orderOfDays(readDays(column, format)) !== "mixed");
  if (sorted.length === 1) {
    const [only = first] = sorted;
    notes.add(`${field}.format`, "likely", "only in this order do the dates follow each other");
    return only;
  }
  if (first.includes(".")) {
    notes.add(`${field}.format`, "likely", "dates with points begin with the day");
    return first;
  }
  const chosen = (isAmerican && dateFormats.find((format) => format.startsWith("MM"))) || first;
  const others = dateFormats.filter((format) => format !== chosen).join(" or ");
  notes.add(`${field}.format`, "unsure", `the dates can also be ${others}`);
  return chosen;
}

export function readDays({ cells }: ColumnFacts, format: string): string[] {
  return cells.map((cell) => readCsvDate(cell, format) ?? "").filter((day) => day !== "");
}

/** "same": one day alone says nothing about the order. */
export function orderOfDays(days: readonly string[]): CsvMapping["order"] | "same" | "mixed" {
  const isRising = days.every((day, row) => row === 0 || day >= (days[row - 1] ?? ""));
  const isFalling = days.every((day, row) => row === 0 || day <= (days[row - 1] ?? ""));
  if (isRising && isFalling) return "same";
  if (isRising) return "oldest_first";
  return isFalling ? "newest_first" : "mixed";
}
