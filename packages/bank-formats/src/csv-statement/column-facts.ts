// What the values of a column can be: dates of which formats, amounts with which marks, currencies, words.

import { decimals, isCurrency } from "../money.ts";
import { type AmountMarks, readCsvAmount } from "./amounts.ts";
import { isDateFormat, readCsvDate } from "./dates.ts";
import { type ColumnUse, usesOfHeader } from "./header-words.ts";
import { csvDecimals, csvGroups } from "./mapping.ts";

export type ColumnFacts = {
  /** From 0. */
  index: number;
  header: string;
  /** By what the header says. */
  uses: ReadonlyMap<ColumnUse, number>;
  /** Of the rows that hold lines. */
  cells: readonly string[];
  /** Formats that read every cell. */
  dateFormats: string[];
  /** Marks that read every cell as an amount; empty where it holds none. */
  marks: AmountMarks[];
  hasDecimals: boolean;
  isCurrency: boolean;
  /** The distinct values, if there are few. */
  words: string[];
};

const wordsMax = 6;

export function columnFacts(
  index: number,
  header: string,
  cells: readonly string[],
  currency: string,
): ColumnFacts {
  const given = cells.filter((cell) => cell !== "");
  const dateFormats = formatsOf(given);
  const words = [...new Set(given)];
  const uses: ColumnFacts["uses"] = header === "" ? new Map() : usesOfHeader(header);
  // A statement may have no debit, or no credit.
  const isEmptySide = given.length === 0 && (uses.has("debit") || uses.has("credit"));
  const marks = isEmptySide ? [...allMarks] : marksOf(given, currency);
  return {
    index,
    header,
    uses,
    cells,
    dateFormats,
    marks: dateFormats.length > 0 ? [] : marks,
    hasDecimals: given.some((cell) => decimalsAtEnd(currency).test(cell)),
    isCurrency: given.length > 0 && given.every((cell) => isCurrency(cell.toUpperCase())),
    words: words.length <= wordsMax ? words : [],
  };
}

/** Three digits are decimals only in currencies with three. */
function decimalsAtEnd(currency: string): RegExp {
  return decimals(currency) === 3 ? /\d[.,]\d{1,3}\D*$/ : /\d[.,]\d{1,2}\D*$/;
}

/** Formats that read every one of the cells. */
export function formatsOf(cells: readonly string[]): string[] {
  const [first] = cells;
  if (first === undefined) return [];
  return candidateFormats(first).filter((format) =>
    cells.every((cell) => isLikelyDate(readCsvDate(cell, format))),
  );
}

/** Long numbers may look like dates of other centuries. */
function isLikelyDate(day: string | undefined): boolean {
  return day !== undefined && day >= "1990" && day < "2100";
}

/** By the shape of one cell. */
export function candidateFormats(cell: string): string[] {
  const text = cell.trim();
  const shape =
    /^(\p{L}+\.?|\d{1,4})([-/., ]{1,2})(\p{L}+\.?|\d{1,2})([-/., ]{1,2})(\d{1,4})/u.exec(text);
  if (!shape) return /^\d{8}(?!\d)/.test(text) ? ["YYYYMMDD", "DDMMYYYY", "MMDDYYYY"] : [];
  const [, first = "", one = "", middle = "", two = "", last = ""] = shape;
  const join = (...parts: string[]) => `${parts[0]}${one}${parts[1]}${two}${parts[2]}`;
  const year = last.length === 4 ? "YYYY" : "YY";
  // A point behind a shortened name belongs to the name.
  if (/^\p{L}/u.test(middle)) return [join("DD", "MMM", year)].filter(isDateFormat);
  if (/^\p{L}/u.test(first)) return [join("MMM", "DD", year)].filter(isDateFormat);
  if (first.length === 4) return [join("YYYY", "MM", "DD")];
  const orders = [join("DD", "MM", year), join("MM", "DD", year)];
  return year === "YY" ? [...orders, join("YY", "MM", "DD")] : orders;
}

export const allMarks: readonly AmountMarks[] = csvDecimals.flatMap((decimal) =>
  csvGroups.flatMap((group) => (group === decimal ? [] : [{ decimal, group }])),
);

/** Marks that read every one of the cells. */
export function marksOf(cells: readonly string[], currency: string): AmountMarks[] {
  if (cells.length === 0 || cells.some((cell) => !/\d/.test(cell))) return [];
  return allMarks.filter((marks) =>
    cells.every((cell) => "minor" in readCsvAmount(cell, marks, currency)),
  );
}
