// How CSV files are read, what is said where one stops being CSV, and the protection against formula injection: a cell that
// begins like a formula gets an apostrophe when we write it, and loses it when we read it.

import { CsvError } from "csv-parse";
import { limits } from "../limits/index.ts";

export const csvSettings = {
  bom: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  // A quote that is never closed must not swallow a large file.
  max_record_size: limits.bodyBytesMax,
};

/** Our own text: the library's message quotes the cells. */
export function describeCsvError(error: unknown): string {
  if (!(error instanceof CsvError)) throw error;
  const { code } = error;
  if (code === "CSV_MAX_RECORD_SIZE") return "Too long for a row, or a quote is not closed";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quote is not closed";
  return "A quote is where none can be: write it twice, in a cell within quotes";
}

/** Also with leading apostrophes, so that reading removes exactly what writing added. */
const beginsLikeFormula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A phone number or a negative number, which a spreadsheet shows as it is. */
const isPlain = /^(?:\+[\d ]+|-\d+(?:\.\d+)?)$/;

export function guardFormula(text: string): string {
  return beginsLikeFormula.test(text) && !isPlain.test(text) ? `'${text}` : text;
}

export function withoutFormulaGuard(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && beginsLikeFormula.test(text) ? text : cell;
}
