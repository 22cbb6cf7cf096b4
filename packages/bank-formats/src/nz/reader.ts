// Reads a file of a bank in New Zealand. Each bank has a table of its records, and reads what only its own files have.

import { type CharacterSet, printableAscii } from "../characters.ts";
import { type FileLine, recordLines } from "../file-lines.ts";
import { quoteField } from "../quoting.ts";
import type { RecordReader } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type FormatName, type Sums } from "../report.ts";
import { NzBatch } from "./batch.ts";
import type { NzHeader, NzPayment, NzRecord, NzTrailer } from "./records.ts";

/** What was read before a record. */
export type NzReading = {
  problems: FileProblems;
  batch: NzBatch;
  header: NzHeader | undefined;
  previous: NzHeader | NzPayment | undefined;
};

export type NzReader = {
  format: FormatName;
  /** How a line says what record it is. */
  typeOf(line: string): string;
  kinds: Readonly<Record<string, NzRecord["kind"]>>;
  /** For the message about a line of another type. */
  types: string;
  /** Whether a file may hold several batches, each with its header and its trailer. */
  hasBatches?: true;
  header(line: FileLine, reading: NzReading): NzHeader;
  payment(line: FileLine, reading: NzReading): NzPayment;
  /** Missing where files have no trailer. */
  trailer?(line: FileLine, reading: NzReading): NzTrailer;
};

export function* readNzFile(text: string, reader: NzReader): Generator<NzRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const batch = new NzBatch(problems);
  const reading: NzReading = { problems, batch, header: undefined, previous: undefined };
  let count = 0;
  for (const line of recordLines(text, problems)) {
    const type = reader.typeOf(line.text);
    const record = readRecord(line, reader.kinds[type], reader, reading);
    if (!record) {
      const message = `the record type must be ${reader.types}, but is ${quoteField(type)}`;
      problems.error(line.number, 1, message);
      continue;
    }
    if (record.kind === "header") reading.header = record;
    if (record.kind === "payment") {
      addTo(totals, "NZD", record.direction, record.amount);
      count += 1;
    }
    if (record.kind !== "trailer") reading.previous = record;
    yield record;
  }
  if (reader.trailer) batch.end();
  else if (count === 0) {
    problems.error(0, 0, "the file must have a record of type D, but has none");
  }
  return { format: reader.format, problems: problems.all, count, totals };
}

function readRecord(
  line: FileLine,
  kind: NzRecord["kind"] | undefined,
  reader: NzReader,
  reading: NzReading,
): NzRecord | undefined {
  const { batch } = reading;
  // Without a trailer, records have no order that could be wrong.
  const isOrdered = reader.trailer !== undefined;
  if (kind === "header") {
    if (reader.hasBatches) batch.reopen(line.number);
    else if (isOrdered) batch.open(line.number);
    return reader.header(line, reading);
  }
  if (kind === "payment") {
    const payment = reader.payment(line, reading);
    if (isOrdered) batch.add(payment);
    return payment;
  }
  if (kind === "trailer") batch.close(line.number);
  return kind && reader.trailer?.(line, reading);
}

/** The fields that every header has, empty where the bank's own has not. */
export function headerOf(
  { line, fieldCount }: RecordReader<string>,
  facts: Partial<NzHeader> & Pick<NzHeader, "dueDateOrder" | "other">,
): NzHeader {
  const none = { ourAccount: "", ourName: "", dueDate: "", createdDate: "" };
  return { kind: "header", line, fieldCount, ...none, ...facts };
}

/** A payment with its amount and its texts, empty where the bank's records have no such field. */
export function paymentOf(
  record: RecordReader<string>,
  facts: Pick<NzPayment, "account" | "transactionCode" | "direction">,
): NzPayment {
  const text = (name: string) => (record.has(name) ? record.text(name) : "");
  const { line, fieldCount } = record;
  return {
    kind: "payment",
    line,
    fieldCount,
    ...facts,
    amount: record.amount("amount"),
    payeeName: text("payeeName"),
    payeeParticulars: text("payeeParticulars"),
    payeeCode: text("payeeCode"),
    payeeReference: text("payeeReference"),
    ourName: text("ourName"),
    ourParticulars: text("ourParticulars"),
    ourCode: text("ourCode"),
    ourReference: text("ourReference"),
    other: {},
  };
}

/** The fields as they are in the file. */
export function textsOf<Name extends string>(
  record: RecordReader<Name>,
  ...names: Name[]
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, record.text(name)]));
}

/** Banks differ in the punctuation that they take, but none takes what is not ASCII. */
export function checkCharacters(record: RecordReader<string>, characters: CharacterSet): void {
  if (!record.characters(printableAscii, "error")) record.characters(characters, "warning");
}

/** The type of a record between commas. */
export const firstField = (line: string) => line.split(",", 1)[0] ?? "";
/** The records of all banks but ASB and Westpac. */
export const numberedKinds = { "1": "header", "2": "payment", "3": "trailer" } as const;
export const numberedTypes = { header: "1", payment: "2", trailer: "3" } as const;
