// How CSV files are read, and what is said where one stops being CSV.

import { CsvError } from "csv-parse";

export const csvSettings = {
  bom: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  // A quote that is never closed must not swallow a large file.
  max_record_size: 64 * 1024,
};

/** Our own text: the library's message quotes the cells. */
export function describeCsvError(error: unknown): string {
  if (!(error instanceof CsvError)) throw error;
  const { code } = error;
  if (code === "CSV_MAX_RECORD_SIZE") return "Too long for a row, or a quote is not closed";
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quote is not closed";
  return "A quote is where none can be: write it twice, in a cell within quotes";
}
