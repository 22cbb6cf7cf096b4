// The cells of a CSV file, read as it comes. The separator is found by the first lines; texts are UTF-8, or UTF-16 with its mark.

import { parse } from "csv-parse";
import {
  csvSettings,
  describeCsvError,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { noFaults, type TablePage, type TableRow, UnreadableFile } from "./table.ts";

/** Chunk by chunk, as it comes. */
export type FileBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const noKinds = {};

/** Reads to the end, or to where the file stops being CSV. */
export async function* readCsvTable(file: FileBytes): AsyncGenerator<TablePage> {
  let rows: TableRow[] = [];
  let number = 0;
  let bytesRead = 0;
  // UTF-8 stays bytes until its cells are texts. Null: it is UTF-8.
  let decoder: TextDecoder | null | undefined;
  let parser: ReturnType<typeof parse> | undefined;
  const start = (part: Uint8Array) => {
    const { delimiter, from } = findSeparator(part);
    parser = parse({
      ...csvSettings,
      delimiter,
      // Collected here, not read from the stream: an error would drop what the stream holds.
      on_record: (record: string[]) => {
        number += 1;
        rows.push({
          row: number,
          cells: record.map(withoutTextMark),
          kinds: noKinds,
          faults: noFaults,
        });
        return null;
      },
    });
    parser.on("error", () => {});
    return part.subarray(from);
  };
  const taken = (): TablePage => {
    const all = rows;
    rows = [];
    return { rows: all, bytesRead };
  };
  const feed = (write: (done: (error?: Error | null) => void) => unknown) =>
    new Promise<Error | null | undefined>((resolve) => write(resolve));

  for await (const chunk of file) {
    bytesRead += chunk.length;
    if (decoder === undefined) decoder = decoderOf(chunk);
    const decoded = decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
    const part = parser ? decoded : start(decoded);
    if (part.length === 0) continue;
    const error = await feed((done) => parser?.write(part, done));
    if (error) return yield { ...taken(), broken: describeCsvError(error) };
    if (rows.length > 0) yield taken();
  }
  if (!parser) start(Buffer.alloc(0));
  const error = await feed((done) => parser?.end(done));
  yield error ? { ...taken(), broken: describeCsvError(error) } : taken();
}

/** Some programs write ="0123", so that spreadsheets keep the zero. */
function withoutTextMark(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  return /^="([^"]*)"$/.exec(cell.trim())?.[1] ?? cell;
}

const zip = Buffer.from("PK\u0003\u0004");
const oldWorkbook = Buffer.from("d0cf11e0", "hex");

function beginsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

export function isWorkbook(bytes: Uint8Array): boolean {
  return beginsWith(bytes, zip);
}

function decoderOf(chunk: Uint8Array): TextDecoder | null {
  if (beginsWith(chunk, oldWorkbook)) {
    throw new UnreadableFile(
      "This is an old Excel file (.xls), or one with a password. Save it as an Excel workbook (.xlsx) without a password.",
    );
  }
  if (beginsWith(chunk, [0xff, 0xfe] as never)) return new TextDecoder("utf-16le");
  if (beginsWith(chunk, [0xfe, 0xff] as never)) return new TextDecoder("utf-16be");
  if (chunk.subarray(0, 1000).includes(0)) {
    throw new UnreadableFile("This is no CSV file and no Excel workbook (.xlsx).");
  }
  return null;
}

const separators = [",", ";", "\t", "|"];
const linesLooked = 20;

/** `from`: where the rows begin, in bytes. Excel's own mark, a first line "sep=;", is no row. */
function findSeparator(part: Uint8Array): { delimiter: string; from: number } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(part.subarray(0, 64 * 1024));
  const [mark, told] = /^\ufeff?sep=([^\r\n])\r?\n/i.exec(text) ?? [];
  if (mark !== undefined && told !== undefined) {
    return { delimiter: told, from: Buffer.byteLength(mark) };
  }
  // Without quoted texts, also those of several lines.
  const lines = text
    .replace(/"[^"]*"/g, "")
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
    .slice(0, linesLooked);
  const scores = separators.map((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1).filter((found) => found > 0);
    const most = Math.max(0, ...counts.map((one) => counts.filter((two) => two === one).length));
    const usual = counts.find((one) => counts.filter((two) => two === one).length === most) ?? 0;
    return usual * most;
  });
  const best = scores.indexOf(Math.max(...scores));
  return { delimiter: separators[best] as string, from: 0 };
}
