// Where the lines of a CSV statement are: after its header, and before what some banks write at the end.

import { candidateFormats } from "./column-facts.ts";
import { readCsvDate } from "./dates.ts";
import type { CsvRow } from "./table.ts";

export type LinesPlace = {
  header: CsvRow | undefined;
  rows: CsvRow[];
  /** Rows before the header, or before the first line. */
  before: number;
  /** Rows after the last line. */
  after: number;
  width: number;
};

/** Undefined where no rows look like lines. */
export function findLines(rows: readonly CsvRow[]): LinesPlace | undefined {
  const width = commonWidth(rows);
  if (width < 2) return undefined;
  const column = dateColumn(rows, width);
  const isLine = (row: CsvRow) =>
    row.cells.length >= width &&
    isDateCell(row.cells[column] ?? "") &&
    row.cells.some(isAmountCell);
  const first = rows.findIndex(isLine);
  const last = rows.findLastIndex(isLine);
  if (first === -1) return undefined;
  const above = rows[first - 1];
  const header = above && isHeader(above, width) ? above : undefined;
  return {
    header,
    rows: rows.slice(first, last + 1),
    before: first - (header ? 1 : 0),
    after: rows.length - 1 - last,
    width: header ? header.cells.findLastIndex((cell) => cell !== "") + 1 : width,
  };
}

/** The number of cells that most rows have. Rows with one cell are titles and notes. */
function commonWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>();
  const wide = rows.filter(({ cells }) => cells.length > 1);
  for (const { cells } of wide) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [most = [0, 0]] = [...counts].toSorted(
    (one, other) => other[1] - one[1] || other[0] - one[0],
  );
  return most[0];
}

/** The one with the most dates. */
function dateColumn(rows: readonly CsvRow[], width: number): number {
  const counts = Array.from(
    { length: width },
    (_, index) => rows.filter(({ cells }) => isDateCell(cells[index] ?? "")).length,
  );
  return counts.indexOf(Math.max(...counts));
}

function isDateCell(cell: string): boolean {
  return candidateFormats(cell).some((format) => {
    const day = readCsvDate(cell, format) ?? "";
    return day >= "1990" && day < "2100";
  });
}

function isAmountCell(cell: string): boolean {
  return /^[^\p{L}]*\d[^\p{L}]*(?:[A-Z]{2,3})?$/u.test(cell) && !isDateCell(cell);
}

/** Names of columns: most cells are words, and none is a date. */
function isHeader({ cells }: CsvRow, width: number): boolean {
  const given = cells.filter((cell) => cell !== "");
  const named = given.filter((cell) => /\p{L}/u.test(cell));
  return given.length >= width / 2 && named.length === given.length && !given.some(isDateCell);
}
