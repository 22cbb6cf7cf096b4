// The cells of a file of rows, whatever its format, and where its header is.

import type { CellFault, WorkbookRow } from "../../platform/documents/index.ts";
import { plainName } from "./columns.ts";

export type TableRow = WorkbookRow;

/** Rows as they are read, and how many bytes that took so far. `broken`: why the rest can't be read. */
export type TablePage = { rows: TableRow[]; bytesRead: number; broken?: string };

/** The file has no header that rows can be read by, or nothing of it can be read. */
export class UnreadableFile extends Error {
  readonly isAboutColumns: boolean;
  constructor(message: string, { isAboutColumns = false } = {}) {
    super(message);
    this.isAboutColumns = isAboutColumns;
  }
}

export const noFaults: CellFault[] = [];

/** A title may stand above the header. */
const rowsBeforeHeaderMax = 20;

/** The first row that names two columns; otherwise the first one. `words`: the names of columns that we know. */
export function findHeaderRow(
  rows: readonly TableRow[],
  words: ReadonlySet<string>,
): TableRow | undefined {
  const knownIn = ({ cells }: TableRow) =>
    new Set(cells.map(plainName).filter((name) => words.has(name))).size;
  return rows.slice(0, rowsBeforeHeaderMax).find((row) => knownIn(row) >= 2) ?? rows[0];
}

export function isBlank({ cells, faults }: TableRow): boolean {
  return cells.every((cell) => cell.trim() === "") && faults.every(({ column }) => column < 0);
}
