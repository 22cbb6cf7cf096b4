// Reads the sanctions lists of a folder: which files belong to which list is found by their names and content.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListEntry } from "../server/src/people/list-files/list-entry.ts";
import {
  type FileListName,
  fileListNames,
  readListFiles,
} from "../server/src/people/list-files/readers.ts";
import { Refusal } from "../server/src/platform/refusals/refusals.ts";

type ListRow = {
  list: FileListName;
  files: string[];
  published: string;
  entries: number;
  people: number;
  organisations: number;
  vessels: number;
  names: number;
  weak: number;
  /** People with at least one date of birth. */
  withBirthDate: number;
  withCountry: number;
  cpuMs: number;
  problems: string[];
};

/** Parts of file names, in a folder where the files of all lists stand side by side. */
const namesOf: Record<FileListName, RegExp> = {
  "ofac-sdn": /^(?:ofac-)?(?:sdn|alt|add)\.csv$/i,
  "ofac-consolidated": /^(?:ofac-)?cons_(?:prim|alt|add)\.csv$/i,
  un: /^un.*\.xml$/i,
  dfat: /^dfat.*\.xlsx$/i,
  eu: /^eu.*\.xml$/i,
  uk: /^uk.*\.(?:csv|xml)$/i,
};

const results = join(import.meta.dirname, "results");

/** Writes results/lists.json and lists.md. A folder without lists changes nothing. */
export function proveLists(folder: string): void {
  const place = join(folder, "lists");
  if (!existsSync(place)) return;
  const all = readdirSync(place).sort();
  const rows = fileListNames.flatMap((list) => {
    const files = all.filter((name) => namesOf[list].test(name));
    return files.length > 0 ? [tryList(place, list, files)] : [];
  });
  const date = new Date().toISOString().slice(0, 10);
  const result = rows.every(({ problems }) => problems.length === 0) ? "kept" : "failed";
  const notTried = fileListNames.filter((name) => !rows.some(({ list }) => list === name));
  mkdirSync(results, { recursive: true });
  const facts = JSON.stringify({ date, result, notTried, rows }, null, 2);
  writeFileSync(join(results, "lists.json"), `${facts}\n`);
  const text = toMarkdown({ date, result, notTried, rows });
  writeFileSync(join(results, "lists.md"), text);
  process.stdout.write(`\n${text}`);
  if (result === "failed") process.exitCode = 1;
}

function tryList(place: string, list: FileListName, names: string[]): ListRow {
  const files = names.map((name) => ({ name, bytes: readFileSync(join(place, name)) }));
  const before = process.cpuUsage();
  const read = tryToRead(list, files);
  const used = process.cpuUsage(before);
  const { entries, publishedDay, problems } = read;
  const count = (fits: (entry: ListEntry) => boolean) => entries.filter(fits).length;
  const isPerson = ({ kind }: ListEntry) => kind === "person";
  return {
    list,
    files: names,
    published: publishedDay,
    entries: entries.length,
    people: count(isPerson),
    organisations: count(({ kind }) => kind === "organisation"),
    vessels: count(({ kind }) => kind === "vessel"),
    names: entries.reduce((sum, entry) => sum + entry.names.length, 0),
    weak: entries.reduce((sum, entry) => sum + entry.names.filter((one) => one.isWeak).length, 0),
    withBirthDate: count((entry) => isPerson(entry) && entry.birthDates.length > 0),
    withCountry: count(({ countries }) => countries.length > 0),
    cpuMs: Math.round((used.user + used.system) / 1000),
    problems,
  };
}

function tryToRead(list: FileListName, files: { name: string; bytes: Uint8Array }[]) {
  try {
    return { ...readListFiles(list, files), problems: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problems = error.problems.map(({ code, message }) => `${code} ${message}`);
    return { entries: [], publishedDay: "", problems };
  }
}

type Summary = { date: string; result: string; notTried: string[]; rows: ListRow[] };

function toMarkdown({ date, result, notTried, rows }: Summary): string {
  const table = rows.map(
    (row) =>
      `| ${row.list} | ${row.published || "–"} | ${row.entries} | ${row.people} | ${row.organisations} | ${row.vessels} | ${row.names} | ${row.weak} | ${row.withBirthDate} | ${row.withCountry} | ${row.cpuMs} | ${row.problems.join("; ")} |`,
  );
  return `# Sanctions lists

Made by \`npm run prove -- --material <folder>\` on ${date}: ${result}. Not in the folder, so tried on files of our own only:
${notTried.join(", ") || "none"}.

| list | published | entries | people | organisations | vessels | names | weak names | people with a date of birth | with a country | CPU ms | problems |
|---|---|---|---|---|---|---|---|---|---|---|---|
${table.join("\n")}
`;
}
