// The first lines of a CSV statement as a mapping reads them, for a user who decides about the mapping.

import { FileProblems, type FileReport } from "../report.ts";
import type { StatementEnd, StatementLine } from "../statement-records.ts";
import { findLines } from "./lines-place.ts";
import { type CsvMapping, csvDelimiters } from "./mapping.ts";
import { readCsvStatement } from "./read.ts";
import { readCsvRows, readCsvTable } from "./table.ts";

export type CsvPreview = {
  /** The names of the columns; empty names where the file has no header. */
  columns: string[];
  /** The first values of each column. */
  samples: string[][];
  /** Oldest first. */
  lines: StatementLine[];
  statements: StatementEnd[];
  report: FileReport;
};

export function previewCsv(text: string, mapping: CsvMapping, linesMax = 20): CsvPreview {
  const { header, rows } = readCsvTable(text, mapping, new FileProblems());
  const columns = header?.cells ?? (rows[0]?.cells ?? []).map(() => "");
  const samples = columns.map((_, place) => samplesOf(rows.map(({ cells }) => cells[place] ?? "")));
  const lines: StatementLine[] = [];
  const statements: StatementEnd[] = [];
  const records = readCsvStatement(text, mapping);
  for (;;) {
    const { done, value } = records.next();
    if (done) return { columns, samples, lines, statements, report: value };
    if (value.kind === "statement") statements.push(value);
    else if (lines.length < linesMax) lines.push(value);
  }
}

const samplesMax = 3;
const sampleCharsMax = 60;

function samplesOf(cells: readonly string[]): string[] {
  const filled = cells.filter((cell) => cell !== "").slice(0, samplesMax);
  return filled.map((cell) => cell.slice(0, sampleCharsMax));
}

/** Enough rows to tell. */
const headLength = 64 * 1024;

/** Whether the text has rows with dates and amounts. Without a mapping nothing more can be said. */
export function looksLikeCsv(text: string): boolean {
  const head = text.slice(0, headLength);
  return csvDelimiters.some(
    (delimiter) => findLines(readCsvRows(head, delimiter, new FileProblems())) !== undefined,
  );
}
