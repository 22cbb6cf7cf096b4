// A file of rows that is open: its header, and its rows from the first one, as often as they are read.

import { hash } from "node:crypto";
import { readWorkbook, SpreadsheetError } from "../../platform/documents/index.ts";
import { type DecimalGuess, guessDecimals } from "./amounts.ts";
import { type FileBytes, isWorkbook, readCsvTable } from "./csv-table.ts";
import { type DayOrder, guessOrder } from "./days.ts";
import { findHeaderRow, isBlank, type TablePage, type TableRow, UnreadableFile } from "./table.ts";

export type SheetHead = {
  header: string[];
  /** The number of the row of the header. */
  row: number;
  /** Remarks for the user: which sheet is read. */
  notes: string[];
  /** Rows may be shorter or longer than the header: those of a workbook. */
  isRagged: boolean;
};

export type Sheet = SheetHead & {
  /** The rows below the header. */
  pages(): AsyncGenerator<TablePage>;
};

export type SheetLimits = { bytesMax: number; unpackedBytesMax: number; rowsMax: number };

/** What the values of some columns say about how the file is written. */
export type SheetHabits = { decimals: DecimalGuess; order: DayOrder };

export type SheetTable = SheetHead & { rows: TableRow[]; broken: string; sha256: string };

const megabyte = 1024 * 1024;
const count = new Intl.NumberFormat("en");

/** A whole file in memory. */
export async function readTable(
  bytes: Uint8Array,
  words: ReadonlySet<string>,
  { bytesMax, unpackedBytesMax, rowsMax }: SheetLimits,
): Promise<SheetTable> {
  if (bytes.length > bytesMax) {
    throw new UnreadableFile(
      `The file has more than ${bytesMax / megabyte} MB: split it into several files.`,
    );
  }
  const isRagged = isWorkbook(bytes);
  const { rows, notes, broken } = isRagged
    ? workbookTable(bytes, { unpackedBytesMax, rowsMax })
    : await csvTable(bytes);
  const head = { ...headOf(rows, words, broken), notes, isRagged };
  const below = rows.filter((row) => row.row > head.row && !isBlank(row));
  if (below.length > rowsMax) {
    throw new UnreadableFile(
      `The file has more than ${count.format(rowsMax)} rows: split it into several files.`,
    );
  }
  return { ...head, rows: below, broken, sha256: hash("sha256", bytes) };
}

function workbookTable(
  bytes: Uint8Array,
  { unpackedBytesMax, rowsMax }: Pick<SheetLimits, "unpackedBytesMax" | "rowsMax">,
) {
  try {
    const limits = { unpackedBytesMax, rowsMax: rowsMax + 100 };
    const { sheet, others, rows } = readWorkbook(bytes, limits);
    const notes =
      others.length > 0
        ? [`Only the first sheet, “${sheet}”, is read. Not read: ${others.join(", ")}.`]
        : [];
    return { rows, notes: notes.map((note) => note.slice(0, 500)), broken: "" };
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw new UnreadableFile(`This Excel workbook can't be imported: ${error.message}.`);
  }
}

async function csvTable(bytes: Uint8Array) {
  const rows: TableRow[] = [];
  let broken = "";
  for await (const page of readCsvTable(partsOf(bytes))) {
    for (const row of page.rows) rows.push(row);
    broken = page.broken ?? "";
  }
  return { rows, notes: [] as string[], broken };
}

const partBytes = 64 * 1024;

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += partBytes) {
    yield bytes.subarray(from, from + partBytes);
  }
}

function headOf(
  rows: readonly TableRow[],
  words: ReadonlySet<string>,
  broken: string,
): Pick<SheetHead, "header" | "row"> {
  const header = findHeaderRow(
    rows.filter((row) => !isBlank(row)),
    words,
  );
  if (header) return { header: header.cells.map((cell) => cell.trim()), row: header.row };
  throw new UnreadableFile(
    broken === ""
      ? "The file is empty: it needs a header row."
      : `The header can't be read: ${broken}.`,
  );
}

export function habitsOf(
  rows: readonly TableRow[],
  { amounts, days }: { amounts: readonly number[]; days: readonly number[] },
): SheetHabits {
  function* textsIn(columns: readonly number[]) {
    for (const { cells, kinds } of rows) {
      for (const column of columns) {
        if ((kinds[column] ?? "text") === "text") yield cells[column] ?? "";
      }
    }
  }
  return { decimals: guessDecimals(textsIn(amounts)), order: guessOrder(textsIn(days)) };
}

/** A CSV file that is read as it comes, each time from its beginning. It may be larger than memory. */
export async function openStream(
  open: () => FileBytes,
  words: ReadonlySet<string>,
): Promise<Sheet> {
  const head = await streamHead(open(), words);
  return {
    ...head,
    notes: [],
    isRagged: false,
    async *pages() {
      for await (const page of readCsvTable(open())) {
        const rows = page.rows.filter((row) => row.row > head.row && !isBlank(row));
        yield { ...page, rows };
      }
    },
  };
}

async function streamHead(
  file: FileBytes,
  words: ReadonlySet<string>,
): Promise<Pick<SheetHead, "header" | "row">> {
  let broken = "";
  const first: TableRow[] = [];
  for await (const page of readCsvTable(file)) {
    first.push(...page.rows);
    broken = page.broken ?? "";
    if (first.some((row) => !isBlank(row))) break;
  }
  return headOf(first, words, broken);
}

/** A table that is in memory, as a sheet. */
export function sheetOfTable({ rows, broken, sha256: _, ...head }: SheetTable): Sheet {
  return {
    ...head,
    async *pages() {
      for (let from = 0; from < rows.length || from === 0; from += rowsAtOnce) {
        const isLast = from + rowsAtOnce >= rows.length;
        const page = { rows: rows.slice(from, from + rowsAtOnce), bytesRead: 0 };
        yield isLast && broken !== "" ? { ...page, broken } : page;
      }
    },
  };
}

/** Small enough that checking them takes a moment. */
export const rowsAtOnce = 250;
