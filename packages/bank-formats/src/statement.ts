// Reads account statements of any format into one shape. Pure.

import { readBai2Lines } from "./bai2/bai2-lines.ts";
import { recognisesBai2 } from "./bai2/read.ts";
import type { CsvMapping } from "./csv-statement/mapping.ts";
import { readCsvStatement } from "./csv-statement/read.ts";
import { readCamtLines } from "./iso/camt-lines.ts";
import type { CamtMessage } from "./iso/camt-reader.ts";
import { findMessage } from "./iso/messages.ts";
import type { FileReport } from "./report.ts";
import type { StatementRecord } from "./statement-records.ts";

/** CSV is never recognised by its content: what its columns mean is said by the mapping of a bank connection. */
export type StatementOptions = { csv?: CsvMapping | undefined };

/** Whether the text begins as a statement that says itself what it is, broken or not. */
export function recognisesStatement(text: string): boolean {
  return findCamt(text) !== undefined || recognisesBai2(text);
}

/**
 * Yields the booked lines of a statement, then the statement. Returns all that is wrong with the file, so
 * read it through before anything is booked.
 */
export function readStatement(
  text: string,
  { csv }: StatementOptions = {},
): Generator<StatementRecord, FileReport, void> {
  const message = findCamt(text);
  if (message) return readCamtLines(text, message);
  if (recognisesBai2(text)) return readBai2Lines(text);
  if (!csv) throw new RangeError("the text is no statement, and there is no mapping for CSV");
  return readCsvStatement(text, csv);
}

function findCamt(text: string): CamtMessage | undefined {
  const message = findMessage(text);
  return message?.kind.startsWith("camt.") ? (message as CamtMessage) : undefined;
}
