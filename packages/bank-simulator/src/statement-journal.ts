// Which bookings are on which statement: a hidden file beside the files of payments, one line of JSON for each statement.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AccountStatement, WrittenStatement } from "./statements.ts";

type Folders = { inFolder: string; outFolder: string };

const journalOf = ({ inFolder }: Folders) => join(inFolder, ".statements.jsonl");

/** Readers of the folder never see half a file. */
export function writeWhole(
  { outFolder }: Pick<Folders, "outFolder">,
  { name, write }: { name: string; write(): string },
  beforeRename = () => {},
): void {
  const temporary = temporaryOf(outFolder, name);
  writeFileSync(temporary, write());
  beforeRename();
  renameSync(temporary, join(outFolder, name));
}

const temporaryOf = (outFolder: string, name: string) => join(outFolder, `.${name}.tmp`);

/** All statements so far. Ends what an interrupted `writeStatementFile` began. */
export function readJournal(folders: Folders): WrittenStatement[] {
  const { outFolder } = folders;
  const path = journalOf(folders);
  if (!existsSync(path)) return [];
  const statements = readFileSync(path, "utf8").split("\n").flatMap(readLine);
  for (const { name } of statements) {
    const temporary = temporaryOf(outFolder, name);
    if (existsSync(temporary)) renameSync(temporary, join(outFolder, name));
  }
  return statements;
}

/** A line that was not written to its end is of a statement that was not sent. */
function readLine(line: string): WrittenStatement[] {
  try {
    return line === "" ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The journal first: a booking is never on two statements, even if the process is killed here. */
export function writeStatementFile(folders: Folders, statement: AccountStatement): void {
  writeWhole(folders, statement, () => {
    // A line that was interrupted ends here.
    appendFileSync(journalOf(folders), `\n${JSON.stringify(statement.facts)}\n`);
  });
}
