// Writes the records of a file of New Zealand again, each by the writer of its format.

import { checkBankFile } from "../src/check.ts";
import { readAnzFull } from "../src/nz/anz-full-read.ts";
import { writeAnzFullRecord } from "../src/nz/anz-full-write.ts";
import { readAsb } from "../src/nz/asb-read.ts";
import { writeAsbRecord } from "../src/nz/asb-write.ts";
import { anzProfile, bnzProfile, type MtsProfile } from "../src/nz/mts-layouts.ts";
import { readMts } from "../src/nz/mts-read.ts";
import { writeMtsRecord } from "../src/nz/mts-write.ts";
import { readWestpac } from "../src/nz/westpac-read.ts";
import { writeWestpacRecord } from "../src/nz/westpac-write.ts";

/** The lines of the file; undefined where it is of no format of New Zealand. */
export function writeNewZealandAgain(text: string): string[] | undefined {
  const { format } = checkBankFile(new TextEncoder().encode(text));
  if (format === "nz-anz")
    return /^1,[CD],/.test(text) ? writeAnzFull(text) : writeMts(text, anzProfile);
  if (format === "nz-bnz") return writeMts(text, bnzProfile);
  if (format === "nz-asb") return [...readAsb(text)].map(writeAsbRecord);
  if (format !== "nz-westpac") return undefined;
  const isFixedLength = text[1] !== ",";
  return [...readWestpac(text)].map((record) =>
    record.kind === "trailer" ? "" : writeWestpacRecord(record, isFixedLength),
  );
}

function writeMts(text: string, profile: MtsProfile): string[] {
  return [...readMts(text, profile)].map((record) => writeMtsRecord(record, profile));
}

function writeAnzFull(text: string): string[] {
  return [...readAnzFull(text)].map(writeAnzFullRecord);
}
