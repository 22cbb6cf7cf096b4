// Writes a PDF document: a title, facts, and one table over as many pages as it needs. It is a stream: a page leaves as
// soon as it is full. The same input gives the same bytes, so a document can be kept by its hash.

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PdfSheet } from "./pdf-sheet.ts";
import type { TablePdf } from "./table.ts";

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
