// The rows of a file to import: each checked by its format, with every problem at its cell.

import type { Caller } from "../../platform/base/index.ts";
import type { CellFault } from "../../platform/documents/index.ts";
import type { Fields, FieldWords } from "../../platform/fields/index.ts";
import { type Code, type Problem, refusals } from "../../platform/refusals/index.ts";
import {
  type ColumnPlaces,
  plainName,
  type Reading,
  readCell,
  type Sheet,
  type SheetField,
  type TableRow,
} from "../sheets/index.ts";

/** The format of a file. */
export type RowFormat = {
  /** As templates and help describe them. */
  columns: readonly FieldWords[];
  fields: readonly SheetField[];
  /** Checks the cells of a row, which are strings by field. */
  check: (input: Fields) => { fields: Fields; problems: FieldProblem[]; payee?: GivenPayee };
  /** Fields of which a file needs one. */
  oneOf?: readonly string[];
  /** By field that is required: another one that a file may have instead. */
  insteadOf?: Readonly<Record<string, string>>;
  /** Fields that only rows of new receivers and accounts need. Elsewhere they are not looked at. */
  ofNew?: ReadonlySet<string>;
};

export type FieldProblem = Problem & Pick<RowProblem, "cure" | "suggestion">;

/** How a row names who is paid, where that is not by both ids. */
export type GivenPayee = Partial<
  Record<
    | "receiver_id"
    | "receiver_email"
    | "receiver_reference"
    | "account_id"
    | "account_number"
    | "bank_code",
    string
  >
>;

/** What a row says about a new receiver or account: the cells, by field, and those that can't be read. */
type OfNew = { fields: Readonly<Record<string, string>>; problems: RowProblem[] };

/** Why the receiver or the account of a row was not found, where it may be a new one. `receiver`: whose account it is. */
type Absent = { problem: RowProblem; receiver?: KnownReceiver };
type KnownReceiver = { id: string; name: string; country: string; accounts: readonly string[] };

/** How the file is read: where each field is, how values are written, and what the user corrected. */
export type ReadingPlan = {
  places: ColumnPlaces;
  reading: Reading;
  /** The value of a field that has no column, for every row. */
  fixed: Readonly<Record<string, string>>;
  /** By row: the texts that stand for cells. */
  edits: ReadonlyMap<number, Readonly<Record<string, string>>>;
};

/** Columns that we add to rows with problems. They are not read: such a file can be imported again. */
export const problemColumns = ["row", "problem"] as const;

export function isOurColumn(name: string): boolean {
  return (problemColumns as readonly string[]).includes(plainName(name));
}

/** A problem of a row and its field. The column is empty if the problem concerns the whole row. */
export type RowProblem = {
  row: number;
  column: string;
  code: string;
  message: string;
  /** What the cell says. */
  value?: string;
  /** What to do. Absent where the message or the code says it. */
  cure?: string;
  /** A value that may be the right one. */
  suggestion?: string;
};

/** A row under the number that a spreadsheet shows. `cells`: as the file has them. */
export type Row = {
  number: number;
  cells: readonly string[];
  fields: Fields;
  payee?: GivenPayee | undefined;
  ofNew?: OfNew;
  absent?: Absent;
  /** The other accounts of a receiver whose account the row does not name. */
  otherAccounts?: readonly string[] | undefined;
  /** Under which it is created, once it is known which rows are. */
  key?: NonNullable<Caller["idempotency"]>;
  problems: RowProblem[];
};

/** Finds problems of a row together with the rows before it. Called for each row, in order. */
export type CheckAmong = (row: Row) => RowProblem[];

/** Rows as they are read, some hundreds at a time, and how many bytes that took so far. */
export type Rows = { rows: Row[]; bytesRead: number };

/** Reads to the end, or to where the file stops being readable: that is the last row, with its problem. */
export async function* readRows(
  sheet: Sheet,
  format: RowFormat,
  plan: ReadingPlan,
): AsyncGenerator<Rows> {
  const all = format.fields.map((field) => ({ ...field, place: plan.places[field.name] ?? -1 }));
  const placed = all.filter(({ name, place }) => place >= 0 || name in plan.fixed);
  let number = sheet.row;
  for await (const page of sheet.pages()) {
    const rows = page.rows.map((row) => toRow(row, { sheet, format, plan, all, placed }));
    number = page.rows.at(-1)?.row ?? number;
    if (page.broken !== undefined) {
      rows.push(unreadable(number + 1, [], `${page.broken}: the rest was not read`));
    }
    yield { rows, bytesRead: page.bytesRead };
  }
}

type PlacedField = SheetField & { place: number };

type RowReading = {
  sheet: Sheet;
  format: RowFormat;
  plan: ReadingPlan;
  /** All fields: those without a column may be corrected, too. */
  all: readonly PlacedField[];
  placed: readonly PlacedField[];
};

function toRow(
  { row, cells, kinds, faults }: TableRow,
  { sheet, format, plan: { reading, fixed, edits }, all, placed }: RowReading,
): Row {
  const edited = edits.get(row);
  const wrong = sheet.isRagged ? undefined : wrongWidth(cells, sheet.header.length);
  if (wrong !== undefined) return unreadable(row, cells, wrong);
  const ofFile = edited ? all : placed;
  const given: Record<string, string> = {};
  for (const { name, place } of ofFile) {
    const text = edited?.[name] ?? fixed[name] ?? (place < 0 ? undefined : (cells[place] ?? ""));
    if (text !== undefined) given[name] = text;
  }
  const input: Fields = {};
  const known = new Map<string, Omit<CellFault, "column">>();
  const currency = given.currency === undefined ? "" : readCurrency(given.currency, reading);
  for (const { name, isRequired, kind, place } of ofFile) {
    const text = given[name];
    if (text === undefined) continue;
    const isOfCell = edited?.[name] === undefined && fixed[name] === undefined;
    const cellKind = isOfCell ? (kinds[place] ?? "text") : "text";
    const read = readCell({ text, kind: cellKind }, kind, reading, currency);
    const value = "text" in read ? read.text : text.trim();
    if (value !== "" || isRequired) input[name] = value;
    if (!("text" in read)) known.set(name, read);
    // Bytes that are not UTF-8 were read as this character: the text is lost.
    if (value.includes("\uFFFD")) known.set(name, notUtf8);
    const fault = isOfCell && faults.length > 0 && faults.find(({ column }) => column === place);
    if (fault) known.set(name, fault);
  }
  const ofNew: OfNew | undefined = format.ofNew && { fields: {}, problems: [] };
  for (const name of format.ofNew ?? []) {
    if (name in input) Object.assign(ofNew?.fields ?? {}, { [name]: input[name] });
    delete input[name];
  }
  const { fields, problems, payee } = format.check(input);
  const found: RowProblem[] = [];
  const hidden = faults.find(({ column }) => column < 0);
  if (hidden) found.push({ row, column: "", code: "", message: hidden.message, cure: hidden.cure });
  for (const [column, { message, cure, suggestion }] of known) {
    const code = problems.find(({ field }) => field === column)?.code ?? "";
    const shown = { value: shownValue(given[column]), cure, ...(suggestion && { suggestion }) };
    const list = format.ofNew?.has(column) ? (ofNew?.problems ?? found) : found;
    list.push({ row, column, code, message, ...shown });
  }
  for (const { field = "", code, message, ...more } of problems) {
    if (known.has(field)) continue;
    if (field !== format.oneOf?.[0] || given[field] !== undefined) {
      found.push({ row, column: field, code, message, value: shownValue(given[field]), ...more });
      continue;
    }
    // The file names whom it pays by another field, of which the cell is empty or wrong.
    const column = format.oneOf.find((name) => given[name] !== undefined) ?? field;
    if (!known.has(column)) found.push({ row, column, code, ...noReceiver });
  }
  return {
    number: row,
    cells,
    fields,
    ...(payee && { payee }),
    ...(ofNew && { ofNew }),
    problems: found,
  };
}

function readCurrency(text: string, reading: Reading): string {
  const read = readCell({ text, kind: "text" }, "currency", reading, "");
  return "text" in read ? read.text : "";
}

const noReceiver = { message: "The row has no receiver", cure: "Say who is paid" };

const notUtf8 = {
  message: "The text is not in UTF-8",
  cure: "Save the file as CSV UTF-8 or as an Excel workbook (.xlsx)",
};

const valueCharsMax = 200;

export function shownValue(text = ""): string {
  return text.trim().slice(0, valueCharsMax);
}

/** Empty cells at the end of a row of CSV carry nothing. */
function wrongWidth(cells: readonly string[], width: number): string | undefined {
  const isWhole =
    cells.length === width ||
    (cells.length > width && cells.slice(width).every((cell) => cell.trim() === ""));
  return isWhole ? undefined : `There are ${cells.length} cells where the header has ${width}`;
}

function unreadable(row: number, cells: readonly string[], message: string): Row {
  return { number: row, cells, fields: {}, problems: [{ row, column: "", code: "", message }] };
}

/** What to do about a problem. Empty where its message says it. */
export function cureOf({ code, message, cure }: RowProblem): string {
  if (cure !== undefined) return cure;
  const isPlain = code === "" || code === "REVR201" || message.endsWith("required");
  return isPlain || message.includes(": ") ? "" : refusals[code as Code][2];
}

export function problemInWords(problem: RowProblem): string {
  const { column, message } = problem;
  const cure = cureOf(problem);
  return `${column && `${column}: `}${cure === "" ? message : `${message}. ${cure}`}`;
}
