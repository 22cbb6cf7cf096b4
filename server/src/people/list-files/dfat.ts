// Reads the consolidated list of Australia (DFAT) from its spreadsheet, by the names of its columns.

import {
  dayOfSerial,
  readSpreadsheet,
  type SheetRow,
  SpreadsheetError,
} from "../../platform/documents/index.ts";
import { readBirthDates } from "./birth-dates.ts";
import { countriesIn } from "./countries.ts";
import { type ColumnNames, type Columns, findHeader } from "./header.ts";
import type { EntryKind, ListEntry } from "./list-entry.ts";
import type { ListFile, ListProblems, ReadList } from "./list-file.ts";

const columnNames = {
  reference: ["Reference"],
  name: ["Name of Individual or Entity", "Name of Individual, Entity or Vessel", "Name"],
  type: ["Type"],
  nameType: ["Name Type"],
  aliasStrength: ["Alias Strength"],
  birth: ["Date of Birth"],
  birthPlace: ["Place of Birth"],
  citizenship: ["Citizenship"],
  address: ["Address"],
  information: ["Additional Information"],
  committees: ["Committees"],
} as const satisfies ColumnNames<string>;
type Field = keyof typeof columnNames;

export function readDfat(files: readonly ListFile[], problems: ListProblems): ReadList {
  const [file, second] = files;
  if (second) problems.error(second.name, nowhere, "this list is one file");
  const sheet = file && read(file, problems);
  if (!file || !sheet) return { entries: [], publishedDay: "" };
  const header = findHeader(sheet.rows, columnNames, ["reference", "name", "type"]);
  if ("missing" in header) {
    const names = header.missing.map((field) => `"${columnNames[field][0]}"`).join(", ");
    problems.error(file.name, { line: 1, column: 1 }, `no header row has the columns ${names}`);
    return { entries: [], publishedDay: "" };
  }
  const entries = new Map<string, ListEntry>();
  for (const row of sheet.rows.slice(header.index + 1)) {
    const problem = addRow(entries, new Cells(row, header.columns));
    if (problem) problems.error(file.name, { line: row.row, column: 1 }, problem);
  }
  return { entries: [...entries.values()], publishedDay: sheet.savedDay };
}

const nowhere = { line: 0, column: 0 };

function read(file: ListFile, problems: ListProblems) {
  try {
    return readSpreadsheet(file.bytes);
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    problems.error(file.name, nowhere, `the spreadsheet can't be read: ${error.message}`);
    return undefined;
  }
}

/** The cells of a row by field. DFAT writes NA for nothing. */
class Cells {
  readonly #row: SheetRow;
  readonly #columns: Columns<Field>;

  constructor(row: SheetRow, columns: Columns<Field>) {
    this.#row = row;
    this.#columns = columns;
  }

  text(field: Field): string {
    const column = this.#columns[field];
    const text = column === undefined ? "" : (this.#row.cells[column] ?? "");
    return /^(?:n\.?a\.?|n\/a|unknown|none|-)$/i.test(text) ? "" : text;
  }
}

const kinds: Record<string, EntryKind> = {
  individual: "person",
  person: "person",
  entity: "organisation",
  organisation: "organisation",
  vessel: "vessel",
  ship: "vessel",
};

/** The rows 101, 101a, 101b and 101b1 are one entry. Returns what is wrong with the row. */
function addRow(entries: Map<string, ListEntry>, cells: Cells): string | undefined {
  const reference = cells.text("reference");
  const name = cells.text("name");
  const [, key] = /^(\d+)(?:\.0)?\s*(?:[a-z]{1,3}\d{0,3})?$/i.exec(reference) ?? [];
  if (!key) {
    // Notes stand below the table.
    return reference === "" && name === "" ? undefined : "expected a reference such as 101 or 101a";
  }
  if (name === "") return "expected a name";
  const isWeak = /weak|low/i.test(cells.text("aliasStrength"));
  const entry = entries.get(key) ?? newEntry(key);
  const named = { text: withoutNumber(name), isWeak };
  if (/primary/i.test(cells.text("nameType"))) entry.names.unshift({ ...named, isWeak: false });
  else entry.names.push(named);
  const kind = kinds[cells.text("type").toLowerCase()];
  if (kind) entry.kind = kind;
  else if (cells.text("type") !== "") return "expected the type Individual, Entity or Vessel";
  entry.birthDates.push(...birthDates(cells.text("birth")));
  for (const field of ["citizenship", "birthPlace", "address"] as const) {
    entry.countries.push(...countriesIn(cells.text(field)));
  }
  entry.program ||= cells.text("committees");
  entry.remarks ||= cells.text("information");
  entries.set(key, entry);
  return undefined;
}

function newEntry(key: string): ListEntry {
  const lists = { names: [], birthDates: [], countries: [] };
  return { key, kind: "organisation", ...lists, program: "", remarks: "" };
}

/** A name may be numbered, as "1. Al-Example". */
function withoutNumber(name: string): string {
  return name.replace(/^\d{1,2}[.)]\s+/, "");
}

/** A cell holds text, a year, or a date as a number of days. */
function birthDates(text: string): string[] {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return readBirthDates(text);
  const number = Number(text);
  if (number > 1_850 && number < 2_050) return [String(number)];
  return [dayOfSerial(number) ?? []].flat();
}
