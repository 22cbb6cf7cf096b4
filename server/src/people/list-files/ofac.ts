// Reads the two lists of OFAC from their CSV files: entries, alternate names and addresses, without header rows.

import { readBirthDates } from "./birth-dates.ts";
import { countriesIn, countryCode } from "./countries.ts";
import { type CsvListRow, readListRows } from "./csv-list.ts";
import type { EntryKind, ListEntry, ListedName } from "./list-entry.ts";
import type { ListFile, ListProblems, ReadList } from "./list-file.ts";

/** Each file is recognised by its number of columns, so that its name does not matter. */
const parts = {
  12: { part: "entries", file: "sdn.csv or cons_prim.csv" },
  5: { part: "names", file: "alt.csv or cons_alt.csv" },
  6: { part: "addresses", file: "add.csv or cons_add.csv" },
} as const;
type Part = (typeof parts)[keyof typeof parts]["part"];
type PartFile = { file: ListFile; rows: CsvListRow[] };

export function readOfac(files: readonly ListFile[], problems: ListProblems): ReadList {
  const found = new Map<Part, PartFile>();
  for (const file of files) {
    const rows = readListRows(file, problems, "windows-1252");
    if (rows) addPart(found, { file, rows }, problems);
  }
  if (problems.all.length > 0) return { entries: [], publishedDay: "" };
  for (const { part, file } of Object.values(parts)) {
    if (!found.has(part))
      problems.error(file, nowhere, "the file is missing: give all three together");
  }
  const entries = new Map<string, ListEntry>();
  for (const { cells, line } of found.get("entries")?.rows ?? []) {
    const entry = toEntry(cells);
    const { file } = found.get("entries") as PartFile;
    if (entries.has(entry.key))
      problems.error(file.name, { line, column: 1 }, "the number is there twice");
    entries.set(entry.key, entry);
  }
  addRows(found.get("names"), entries, problems, addName);
  addRows(found.get("addresses"), entries, problems, addCountry);
  return { entries: [...entries.values()], publishedDay: "" };
}

const nowhere = { line: 0, column: 0 };

function addPart(found: Map<Part, PartFile>, { file, rows }: PartFile, problems: ListProblems) {
  const columns = rows[0]?.cells.length ?? 0;
  const known = parts[columns as keyof typeof parts];
  if (!known) {
    const expected = "expected 12 columns (entries), 5 (alternate names) or 6 (addresses)";
    problems.error(file.name, { line: 1, column: 1 }, `${expected}, found ${columns}`);
    return;
  }
  if (found.has(known.part)) problems.error(file.name, nowhere, `a second file of ${known.part}`);
  for (const { cells, line } of rows) {
    const place = { line, column: 1 };
    if (cells.length !== columns) {
      problems.error(file.name, place, `expected ${columns} columns, found ${cells.length}`);
    } else if (!/^\d{1,9}$/.test(cells[0] ?? "")) {
      problems.error(file.name, place, "expected the number of an entry in the first column");
    }
  }
  found.set(known.part, { file, rows });
}

/** A row of an entry that is not there: one of the files is older, or was cut. */
function addRows(
  part: PartFile | undefined,
  entries: ReadonlyMap<string, ListEntry>,
  problems: ListProblems,
  add: (entry: ListEntry, cells: string[]) => void,
): void {
  for (const { cells, line } of part?.rows ?? []) {
    const entry = entries.get(cells[0] ?? "");
    if (entry) add(entry, cells);
    else {
      const place = { line, column: 1 };
      problems.error(
        part?.file.name ?? "",
        place,
        "the file of entries has no entry of this number",
      );
    }
  }
}

const kinds: Record<string, EntryKind> = {
  individual: "person",
  vessel: "vessel",
  // An aircraft has a name and an owner like a vessel.
  aircraft: "vessel",
};

function toEntry(cells: string[]): ListEntry {
  const [key = "", name = "", type = "", program = "", title = "", ...rest] =
    cells.map(withoutNull);
  const remarks = rest.at(-1) ?? "";
  const flag = rest.at(-3) ?? "";
  const kind = kinds[type.toLowerCase()] ?? "organisation";
  const facts = readRemarks(remarks);
  return {
    key,
    kind,
    names: [{ text: nameInOrder(name, kind), isWeak: false }, ...facts.names],
    birthDates: facts.birthDates,
    countries: [...facts.countries, ...countriesIn(flag)],
    program,
    remarks: [title, remarks].filter((text) => text !== "").join("; "),
  };
}

/** OFAC writes -0- for null. */
function withoutNull(cell: string): string {
  const text = cell.trim();
  return text === "-0-" ? "" : text;
}

/** "LAST, First Middle" becomes "First Middle LAST". */
function nameInOrder(name: string, kind: EntryKind): string {
  const [, last, given] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  return kind === "person" && last && given ? `${given} ${last}` : name;
}

/** The remarks hold weak names in quotes, dates of birth, places of birth, nationalities and passports. */
function readRemarks(remarks: string) {
  const names: ListedName[] = [];
  const birthDates: string[] = [];
  const countries: string[] = [];
  for (const part of remarks.split(/;\s*/)) {
    const fact = part.replace(/^alt\. /i, "").replace(/\.$/, "");
    const [, word = "", value = ""] =
      /^(DOB|POB|nationality|citizen|Passport|[afn]\.k\.a\.)\s+(.*)$/i.exec(fact) ?? [];
    if (/k\.a\./i.test(word)) names.push({ text: value.replaceAll(/^'|'$/g, ""), isWeak: true });
    else if (word === "DOB") birthDates.push(...readBirthDates(value));
    else if (word === "Passport") countries.push(...passportCountry(value));
    else if (word !== "") countries.push(...countriesIn(value));
  }
  return { names, birthDates, countries };
}

/** "717637093 (Russia) expires 14 Jun 2025" */
function passportCountry(value: string): string[] {
  const [, country = ""] = /\(([^)]+)\)/.exec(value) ?? [];
  return countryCode(country) ? countriesIn(country) : [];
}

function addName(entry: ListEntry, cells: string[]): void {
  const text = nameInOrder(withoutNull(cells[3] ?? ""), entry.kind);
  if (text !== "") entry.names.push({ text, isWeak: false });
}

function addCountry(entry: ListEntry, cells: string[]): void {
  entry.countries.push(...countriesIn(withoutNull(cells[4] ?? "")));
}
