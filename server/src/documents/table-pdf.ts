// Writes a PDF document: a title, facts, and one table over as many pages as it needs. It is a stream: a page leaves as
// soon as it is full. The same input gives the same bytes, so a document can be kept by its hash.

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PdfSheet } from "./pdf-sheet.ts";

export type PdfColumn = {
  title: string;
  /** Its share of the page: a column of 2 is twice as wide as one of 1. */
  width: number;
  align?: "left" | "right";
};

/** The cells of a row, in the order of the columns. A strong row is bold, such as a total. */
export type PdfRow = readonly string[] | { strong: readonly string[] };

export type TablePdf = {
  title: string;
  /** Shown below the title, one per line. */
  facts: readonly (readonly [label: string, value: string])[];
  columns: readonly PdfColumn[];
  rows: AsyncIterable<PdfRow> | Iterable<PdfRow>;
  /** The time that the document says it was made. The clock is not read, so the bytes depend on the input alone. */
  createdAtMs: number;
  /** For tables with many columns. */
  landscape?: boolean;
};

/** A4, in English. An error of `rows` ends the stream with that error. */
export function writeTablePdf(table: TablePdf): Readable {
  return Readable.from(pagesOf(table), { objectMode: false });
}

async function* pagesOf(table: TablePdf): AsyncGenerator<Uint8Array> {
  const sheet = new PdfSheet(table);
  sheet.begin(table);
  let pages = 1;
  for await (const row of table.rows) {
    if ("strong" in row) sheet.addRow(row.strong, { isStrong: true });
    else sheet.addRow(row);
    if (sheet.pages === pages) continue;
    pages = sheet.pages;
    yield* sheet.takeBytes();
    // A page takes milliseconds of the processor. Other work of the process goes between two pages.
    await nextTurn();
  }
  sheet.end();
  yield* sheet.takeBytes();
}
