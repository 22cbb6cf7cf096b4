// The rows of a CSV file to import: which columns it may have, and each row, checked one after the other.

import { parse } from "csv-parse";
import {
  csvSettings,
  describeCsvError,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { withoutFormulaGuard } from "../../platform/documents/index.ts";
import type { Check, Fields, FieldWords } from "../../platform/fields/index.ts";

/** The format of a CSV file. */
export type RowFormat = {
  columns: readonly FieldWords[];
  /** Accepted spellings of a column, and the name that each stands for. */
  aliases: Readonly<Record<string, string>>;
  /** Checks the cells of a row, which are strings by column name. */
  check: Check;
};

/** Columns that we add to rows with problems. They are not read: such a file can be imported again. */
export const problemColumns = ["row", "problem"] as const;

/** A column of a file. `words` is undefined for a column that is not read. */
type FileColumn = { name: string; words: FieldWords | undefined };

/** A problem of a row and its column. The column is empty if the problem concerns the whole row. */
export type RowProblem = { row: number; column: string; code: string; message: string };

/** A row under the number that a spreadsheet shows: the header is row 1. `cells`: as the file has them. */
export type Row = {
  number: number;
  cells: readonly string[];
  fields: Fields;
  problems: RowProblem[];
};

/** Finds problems of a row together with the rows before it. Called for each row, in order. */
export type CheckAmong = (row: Row) => RowProblem[];

/** The file has no header that rows can be read by. */
export class UnreadableFile extends Error {
  readonly isAboutColumns: boolean;
  constructor(message: string, { isAboutColumns = false } = {}) {
    super(message);
    this.isAboutColumns = isAboutColumns;
  }
}

/** Rows as they are read, some hundreds at a time, the names of their columns, and how many bytes that took so far. */
export type Rows = { rows: Row[]; columns: readonly string[]; bytesRead: number };

/** Chunk by chunk, as it comes. */
type FileBytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Reads to the end, or to where the file stops being CSV: that is the last row, with its problem. */
export async function* readRows(file: FileBytes, format: RowFormat): AsyncGenerator<Rows> {
  let header: FileColumn[] | undefined;
  let number = 0;
  for await (const { records, bytesRead, broken } of readRecords(file)) {
    const rows: Row[] = [];
    for (const cells of records) {
      number += 1;
      if (!header) header = readHeader(cells, format);
      else if (cells.some((cell) => cell.trim() !== "")) {
        rows.push(toRow(number, header, cells, format));
      }
    }
    if (broken !== undefined) {
      if (!header) throw new UnreadableFile(`The header can't be read: ${broken}.`);
      rows.push(unreadable(number + 1, [], `${broken}: the rest was not read`));
    }
    yield { rows, columns: header?.map(({ name }) => name) ?? [], bytesRead };
  }
  if (!header) throw new UnreadableFile("The file is empty: it needs a header row.");
}

/** The columns in the order in which the file has them. */
function readHeader(cells: string[], { columns, aliases }: RowFormat): FileColumn[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const given = cells.map((cell) => cell.trim());
  if (given.length === 1) refuseSeparator(given[0] as string);
  const names = given.map((name) => aliases[name] ?? name);
  const unnamed = given.flatMap((name, index) => (name === "" ? [`column ${index + 1}`] : []));
  const isKnown = (name: string) => byName.has(name) || isOurs(name);
  const unknown = given.filter((_, index) => names[index] && !isKnown(names[index]));
  const twice = given.filter((_, index) => names[index] && names.indexOf(names[index]) < index);
  const missing = columns.filter(({ name, isRequired }) => isRequired && !names.includes(name));
  const problems = Object.entries({
    "Unknown columns": unknown,
    "Columns without a name": unnamed,
    "Columns that come twice": twice,
    "Missing columns": missing.map(({ name }) => name),
  }).filter(([, list]) => list.length > 0);
  if (problems.length > 0) {
    const lines = problems.map(([title, list]) => `${title}: ${list.map(shortened).join(", ")}`);
    throw new UnreadableFile(lines.join("\n"), { isAboutColumns: true });
  }
  return names.map((name) => ({ name, words: byName.get(name) }));
}

function isOurs(name: string): boolean {
  return (problemColumns as readonly string[]).includes(name);
}

/** Spreadsheets of many countries separate columns by semicolons. */
function refuseSeparator(header: string): void {
  const found = Object.entries({ semicolons: ";", tabs: "\t" }).find(([, mark]) =>
    header.includes(mark),
  );
  if (!found) return;
  throw new UnreadableFile(
    `The columns are separated by ${found[0]}. Save the file as CSV with commas between columns.`,
  );
}

/** The first bytes of .xlsx and .xls files. */
const workbookMarks = [Buffer.from("PK\u0003\u0004"), Buffer.from("d0cf11e0", "hex")];

function refuseWorkbook(chunk: Buffer): void {
  if (!workbookMarks.some((mark) => chunk.subarray(0, mark.length).equals(mark))) return;
  throw new UnreadableFile(
    "This is an Excel workbook. Save it as CSV (UTF-8, with commas) and choose that file.",
  );
}

/** Shortens a column name for a message: the file may be a picture. */
function shortened(name: string): string {
  const clean = name.replaceAll(/\p{Cc}+/gu, " ");
  return clean.length > 50 ? `${clean.slice(0, 50)}…` : clean;
}

function toRow(
  row: number,
  header: readonly FileColumn[],
  cells: readonly string[],
  { check }: RowFormat,
): Row {
  if (cells.length !== header.length) {
    const message = `There are ${cells.length} cells where the header has ${header.length}`;
    return unreadable(row, cells, message);
  }
  const input: Fields = {};
  const found: RowProblem[] = [];
  for (const [index, { name: column, words }] of header.entries()) {
    if (!words) continue;
    const { isRequired } = words;
    const cell = withoutFormulaGuard((cells[index] as string).trim());
    if (cell !== "" || isRequired) input[column] = cell;
    // Bytes that are not UTF-8 were read as this character: the text is lost.
    if (cell.includes("\uFFFD")) {
      found.push({ row, column, code: "", message: "The text is not in UTF-8" });
    }
  }
  const { fields, problems } = check(input);
  for (const { field = "", code, message } of problems) {
    found.push({ row, column: field, code, message });
  }
  return { number: row, cells, fields, problems: found };
}

function unreadable(row: number, cells: readonly string[], message: string): Row {
  return { number: row, cells, fields: {}, problems: [{ row, column: "", code: "", message }] };
}

type Records = { records: string[][]; bytesRead: number; broken?: string };

async function* readRecords(file: FileBytes): AsyncGenerator<Records> {
  let records: string[][] = [];
  const parser = parse({
    ...csvSettings,
    // Collected here, not read from the stream: an error would drop what the stream holds.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  parser.on("error", () => {});
  const taken = () => {
    const all = records;
    records = [];
    return { records: all, bytesRead: parser.info.bytes };
  };
  const feed = (write: (done: (error?: Error | null) => void) => unknown) =>
    new Promise<Error | null | undefined>((resolve) => write(resolve));

  let isFirst = true;
  for await (const chunk of file) {
    if (isFirst) refuseWorkbook(chunk);
    isFirst = false;
    const error = await feed((done) => parser.write(chunk, done));
    if (error) return yield { ...taken(), broken: describeCsvError(error) };
    if (records.length > 0) yield taken();
  }
  const error = await feed((done) => parser.end(done));
  yield error ? { ...taken(), broken: describeCsvError(error) } : taken();
}
