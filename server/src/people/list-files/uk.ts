// Reads the UK Sanctions List (FCDO) from its CSV, by the names of its columns, or from its XML.

import {
  childrenOf,
  descendants,
  textAt,
  type XmlElement,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { readBirthDates } from "./birth-dates.ts";
import { countriesIn } from "./countries.ts";
import { readListRows } from "./csv-list.ts";
import { type ColumnNames, type Columns, findHeader } from "./header.ts";
import type { EntryKind, ListEntry } from "./list-entry.ts";
import type { ListFile, ListProblems, ReadList } from "./list-file.ts";
import { readXmlList } from "./xml-list.ts";

export function readUk(files: readonly ListFile[], problems: ListProblems): ReadList {
  const [file, second] = files;
  if (second) problems.error(second.name, nowhere, "this list is one file");
  if (!file) return { entries: [], publishedDay: "" };
  return isXml(file.bytes) ? readUkXml(files, problems) : readUkCsv(file, problems);
}

const nowhere = { line: 0, column: 0 };

function isXml(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*</.test(new TextDecoder().decode(bytes.subarray(0, 100)));
}

const kinds: Record<string, EntryKind> = {
  individual: "person",
  entity: "organisation",
  ship: "vessel",
};

/** One name of a designation, with what stands beside it. */
type Fact = {
  key: string;
  kind: string;
  names: string[];
  nameType: string;
  aliasStrength: string;
  otherScripts: string[];
  births: string[];
  countries: string[];
  regime: string;
  information: string;
};

/** Adds to the entry of the same unique id. Returns what is wrong. */
function addFact(entries: Map<string, ListEntry>, fact: Fact): string | undefined {
  const kind = kinds[fact.kind.toLowerCase()];
  if (fact.key === "") return "expected a unique id";
  if (!kind) return "expected Individual, Entity or Ship";
  const lists = { names: [], birthDates: [], countries: [] };
  const entry: ListEntry = entries.get(fact.key) ?? {
    key: fact.key,
    kind,
    ...lists,
    program: fact.regime,
    remarks: fact.information,
  };
  const text = fact.names.filter((part) => part !== "").join(" ");
  const isPrimary = /^primary name$/i.test(fact.nameType);
  const isWeak = !isPrimary && /low|weak/i.test(fact.aliasStrength);
  if (text !== "" && isPrimary) entry.names.unshift({ text, isWeak });
  else if (text !== "") entry.names.push({ text, isWeak });
  for (const other of fact.otherScripts)
    if (other !== "") entry.names.push({ text: other, isWeak: false });
  entry.birthDates.push(...fact.births.flatMap(readBirthDates));
  entry.countries.push(...fact.countries.flatMap(countriesIn));
  entries.set(fact.key, entry);
  return undefined;
}

const columnNames = {
  key: ["Unique ID"],
  kind: ["Designation Type", "Individual, Entity, Ship", "Type of designation"],
  name1: ["Name 1"],
  name2: ["Name 2"],
  name3: ["Name 3"],
  name4: ["Name 4"],
  name5: ["Name 5"],
  name6: ["Name 6"],
  nameType: ["Name type", "Alias type"],
  aliasStrength: ["Alias strength", "Alias quality"],
  otherScript: ["Name non-latin script"],
  regime: ["Regime Name", "Regime"],
  information: ["Other Information"],
  birth: ["D.O.B", "Date of birth"],
  nationality: ["Nationality(/ies)", "Nationality"],
  addressCountry: ["Address Country"],
  birthCountry: ["Country of birth"],
  flag: ["Current believed flag of ship"],
} as const satisfies ColumnNames<string>;
type Field = keyof typeof columnNames;

function readUkCsv(file: ListFile, problems: ListProblems): ReadList {
  const rows = readListRows(file, problems) ?? [];
  if (problems.all.length > 0) return { entries: [], publishedDay: "" };
  const header = findHeader(rows, columnNames, ["key", "name6", "kind"]);
  if ("missing" in header) {
    const names = header.missing.map((field) => `"${columnNames[field][0]}"`).join(", ");
    problems.error(file.name, { line: 1, column: 1 }, `no header row has the columns ${names}`);
    return { entries: [], publishedDay: "" };
  }
  const width = rows[header.index]?.cells.length ?? 0;
  const entries = new Map<string, ListEntry>();
  for (const { cells, line } of rows.slice(header.index + 1)) {
    const problem =
      cells.length === width
        ? addFact(entries, factOf(cells, header.columns))
        : `expected ${width} columns, found ${cells.length}`;
    if (problem) problems.error(file.name, { line, column: 1 }, problem);
  }
  // The row above the header says "Report Date: 12-Nov-2026".
  const above = rows.slice(0, header.index).flatMap(({ cells }) => cells);
  const [publishedDay = ""] = readBirthDates(above.join(" "));
  return { entries: [...entries.values()], publishedDay: dayOrNothing(publishedDay) };
}

function factOf(cells: readonly string[], columns: Columns<Field>): Fact {
  const cell = (field: Field) => {
    const column = columns[field];
    return column === undefined ? "" : (cells[column] ?? "");
  };
  return {
    key: cell("key"),
    kind: cell("kind"),
    names: (["name1", "name2", "name3", "name4", "name5", "name6"] as const).map(cell),
    nameType: cell("nameType"),
    aliasStrength: cell("aliasStrength"),
    otherScripts: [cell("otherScript")],
    births: [cell("birth")],
    countries: [cell("nationality"), cell("addressCountry"), cell("birthCountry"), cell("flag")],
    regime: cell("regime"),
    information: cell("information"),
  };
}

function dayOrNothing(date: string): string {
  return date.length === 10 ? date : "";
}

function readUkXml(files: readonly ListFile[], problems: ListProblems): ReadList {
  const entries = new Map<string, ListEntry>();
  let publishedDay = "";
  readXmlList(files, problems, {
    root: "Designations",
    onElement(element, file) {
      if (element.name === "DateGenerated") {
        publishedDay = dayOrNothing(readBirthDates(element.text)[0] ?? "");
      }
      if (element.name !== "Designation") return;
      const problem = factsOf(element)
        .map((fact) => addFact(entries, fact))
        .find(Boolean);
      if (problem) problems.error(file, element, problem);
    },
  });
  return { entries: [...entries.values()], publishedDay };
}

const xmlCountries = [
  "Nationality",
  "AddressCountry",
  "CountryOfBirth",
  "CurrentBelievedFlagOfShip",
];

/** One for each name. The first has what belongs to all. */
function factsOf(designation: XmlElement): Fact[] {
  const below = (name: string) => [...descendants(designation, name)];
  const texts = (name: string) => below(name).map(({ text }) => text);
  const shared = {
    key: textAt(designation, "UniqueID"),
    kind: textAt(designation, "IndividualEntityShip"),
    regime: textAt(designation, "RegimeName"),
    information: textAt(designation, "OtherInformation"),
  };
  const names = childrenOf(designation, "Names").flatMap((all) => childrenOf(all, "Name"));
  const ofAll = {
    otherScripts: texts("NameNonLatinScript"),
    births: texts("DOB"),
    countries: xmlCountries.flatMap(texts),
  };
  const none = { otherScripts: [], births: [], countries: [] };
  return names.map((name, index) => ({
    ...shared,
    ...(index === 0 ? ofAll : none),
    names: [1, 2, 3, 4, 5, 6].map((number) => textAt(name, `Name${number}`)),
    nameType: textAt(name, "NameType"),
    aliasStrength: textAt(name, "AliasStrength"),
  }));
}
