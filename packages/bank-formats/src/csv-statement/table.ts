// The rows of a CSV statement with their places, and where the columns of a mapping are.

import { parse } from "csv-parse/sync";
import { csvSettings, describeCsvError } from "../documents/index.ts";
import type { FileProblems } from "../report.ts";
import { type CsvColumn, type CsvMapping, columnsOf, comparableHeader } from "./mapping.ts";

/** A row that is not empty. `line` is where it begins; cells may hold line breaks. */
export type CsvRow = { line: number; cells: string[] };

export type CsvTable = {
  /** Undefined where the file has none. */
  header: CsvRow | undefined;
  rows: CsvRow[];
};

/** All rows that are not empty. Where the file stops being CSV, a problem says so. */
export function readCsvRows(text: string, delimiter: string, problems: FileProblems): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  const { stackTraceLimit } = Error;
  // The parser makes an error for each row with another number of cells, and most of that time is its stack.
  Error.stackTraceLimit = 0;
  try {
    parse(text, {
      ...csvSettings,
      delimiter,
      // Descriptions hold quotes that are no marks of CSV.
      relax_quotes: true,
      on_record: (cells: string[]) => {
        const trimmed = cells.map(toCell);
        if (trimmed.some((cell) => cell !== "")) rows.push({ line, cells: trimmed });
        for (const cell of cells) line += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
        line += 1;
        return null;
      },
    });
  } catch (error) {
    problems.error(line, 1, `${describeCsvError(error)}. The rest was not read`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return rows;
}

/** Some banks write ="0123", so that spreadsheets keep the zero. */
function toCell(cell: string): string {
  const [, kept = cell] = /^="(.*)"$/s.exec(cell.trim()) ?? [];
  return kept.trim();
}

export function readCsvTable(
  text: string,
  { delimiter, skip_rows, skip_last_rows, has_header }: CsvMapping,
  problems: FileProblems,
): CsvTable {
  const all = readCsvRows(text, delimiter, problems);
  const rows = all.slice(skip_rows, Math.max(skip_rows, all.length - skip_last_rows));
  const header = has_header ? rows.shift() : undefined;
  if (has_header && !header) problems.error(0, 0, "the file must have a header row");
  return { header, rows };
}

/** Where a column is, from 0; undefined, and reported, where the file has no such column. */
export function findColumns(
  mapping: CsvMapping,
  { header, rows }: CsvTable,
  problems: FileProblems,
): ((column: CsvColumn) => number) | undefined {
  const width = (header ?? rows[0])?.cells.length ?? 0;
  const names = header?.cells.map(comparableHeader) ?? [];
  const line = (header ?? rows[0])?.line ?? 0;
  const places = new Map<CsvColumn, number>();
  let isWhole = true;
  for (const { use, column } of columnsOf(mapping)) {
    const place = placeOf(column, names, width);
    if (typeof place === "number") {
      places.set(column, place);
      continue;
    }
    isWhole = false;
    problems.error(line, 1, `the column ${nameColumn(column)} for ${use} ${place.problem}`);
  }
  return isWhole ? (column) => places.get(column) ?? 0 : undefined;
}

function placeOf(
  column: CsvColumn,
  names: readonly string[],
  width: number,
): number | { problem: string } {
  if (typeof column === "number") {
    return column <= width ? column - 1 : { problem: `is missing: there are ${width} columns` };
  }
  const name = comparableHeader(column);
  const first = names.indexOf(name);
  if (first === -1) return { problem: "is missing" };
  const isTwice = names.indexOf(name, first + 1) !== -1;
  return isTwice ? { problem: "comes twice: give the number of the column instead" } : first;
}

export function nameColumn(column: CsvColumn): string {
  return typeof column === "number" ? `${column}` : `"${column}"`;
}
