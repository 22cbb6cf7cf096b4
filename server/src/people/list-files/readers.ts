// The lists: their titles, publishers and readers, and how the files of each become entries or a refusal.

import { type Code, type Problem, Refusal } from "../../platform/refusals/index.ts";
import { readDfat } from "./dfat.ts";
import { readEu } from "./eu.ts";
import {
  hashEntries,
  type ListEntry,
  type ListName,
  type NewList,
  tidyEntry,
} from "./list-entry.ts";
import {
  hashOfFiles,
  type ListFile,
  ListProblems,
  type ListReader,
  type ReadList,
} from "./list-file.ts";
import { listLimits } from "./list-limits.ts";
import { readOfac } from "./ofac.ts";
import { readUk } from "./uk.ts";
import { readUn } from "./un.ts";

/** The lists that come in files. */
export type FileListName = Exclude<ListName, "embargo">;

/**
 * Raised when a reader finds more or other facts in the same file. Files that were imported before are then read again.
 */
export const readerVersion = 1;

export const fileLists: Record<
  FileListName,
  { title: string; publisher: string; read: ListReader }
> = {
  "ofac-sdn": {
    title: "Specially Designated Nationals and Blocked Persons",
    publisher: "OFAC, United States",
    read: readOfac,
  },
  "ofac-consolidated": {
    title: "Consolidated list of the other sanctions of OFAC",
    publisher: "OFAC, United States",
    read: readOfac,
  },
  un: {
    title: "Security Council consolidated list",
    publisher: "United Nations",
    read: readUn,
  },
  dfat: { title: "Consolidated list", publisher: "DFAT, Australia", read: readDfat },
  eu: {
    title: "Consolidated list of financial sanctions",
    publisher: "European Commission",
    read: readEu,
  },
  uk: { title: "UK Sanctions List", publisher: "FCDO, United Kingdom", read: readUk },
};

export const fileListNames = Object.keys(fileLists) as FileListName[];

/** Reads and hashes the entries of a list, ready for the import. */
export function readNewList(list: FileListName, files: readonly ListFile[]): NewList {
  const hash = hashOfFiles(files);
  const { entries, publishedDay } = readListFiles(list, files);
  return { list, hash, reader: readerVersion, publishedDay, entries: hashEntries(entries) };
}

/** All entries of a list, each in its tidy form. A file that is broken anywhere is refused whole. */
export function readListFiles(list: FileListName, files: readonly ListFile[]): ReadList {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (files.length === 0 || bytes > listLimits.bytesMax) throw new Refusal("LIST102");
  const problems = new ListProblems();
  const { entries, publishedDay } = fileLists[list].read(files, problems);
  const tidy = problems.all.length > 0 ? [] : entries.map(tidyEntry);
  if (problems.all.length === 0) requireNamesAndKeys(tidy, problems);
  if (problems.all.length > 0) throw new Refusal(refusalProblems("LIST101", problems));
  if (tidy.length === 0) throw new Refusal("LIST103");
  return { entries: tidy, publishedDay };
}

function requireNamesAndKeys(entries: readonly ListEntry[], problems: ListProblems): void {
  const keys = new Set<string>();
  for (const { key, names } of entries) {
    const where = `entry ${key.slice(0, 40)}`;
    if (keys.has(key)) problems.error(where, { line: 0, column: 0 }, "it is there twice");
    if (names.length === 0) problems.error(where, { line: 0, column: 0 }, "it has no name");
    keys.add(key);
  }
}

/** The first problems, each with its place. */
function refusalProblems(code: Code, { all }: ListProblems): [Problem, ...Problem[]] {
  const shown = all.slice(0, listLimits.problemsShownMax).map(({ file, line, column, message }) => {
    const place = line === 0 ? file : `${file}, line ${line}, column ${column}`;
    return { code, message: `${place}: ${message}` };
  });
  return shown as [Problem, ...Problem[]];
}
