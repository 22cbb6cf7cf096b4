// Writes a PDF document: a title, facts, and one table over as many pages as it needs. It is a stream: a page leaves as
// soon as it is full. The same input gives the same bytes, so a document can be kept by its hash.

import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { TablePdf } from "./table.ts";

/** A4, in English. An error of `rows` ends the stream with that error. */
export function writeTablePdf(table: TablePdf): Readable {
  return Readable.from(pagesOf(table), { objectMode: false });
}

async function* pagesOf(table: TablePdf): AsyncGenerator<Uint8Array> {
  // Loading PDFKit would take a tenth of the start of the service, so the first document loads it.
  const { PdfSheet } = await import("./pdf-sheet.ts");
  const sheet = new PdfSheet(table);
  sheet.begin(table);
  let pages = 1;
  let workMs = 0;
  for await (const row of table.rows) {
    const startedMs = performance.now();
    if ("strong" in row) sheet.addRow(row.strong, { isStrong: true });
    else sheet.addRow(row);
    workMs += performance.now() - startedMs;
    if (sheet.pages === pages) continue;
    pages = sheet.pages;
    yield* sheet.takeBytes();
    await pauseFor(workMs);
    workMs = 0;
  }
  sheet.end();
  yield* sheet.takeBytes();
}

let lastPause: Promise<void> = Promise.resolve();

/**
 * After each page the document pauses as long as the page took, and the documents of a process pause one after the
 * other. So they take at most about half of its time, however many there are.
 */
function pauseFor(ms: number): Promise<void> {
  lastPause = lastPause.then(() => sleep(ms));
  return lastPause;
}
