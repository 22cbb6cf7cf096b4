// Which of the formats that the simulated bank takes a file is of, by its content.

import { readDirectEntry } from "./aba-file.ts";
import { emptyFile, type InstructionFile } from "./instruction-file.ts";
import { readAutomatedClearing } from "./nacha-file.ts";
import { readAnzFullFile, readAsbFile, readNzBatchFile, readWestpacFile } from "./nz-files.ts";
import { readTransferMessage } from "./pain-file.ts";

const readers: readonly [RegExp, (text: string) => InstructionFile][] = [
  [/^\uFEFF?\s*</, readTransferMessage],
  [/^101[ 0-9]/, readAutomatedClearing],
  [/^1,[A-Z],/, readAnzFullFile],
  [/^1,,,,,,/, (text) => readNzBatchFile(text, "nz-anz")],
  [/^1,/, (text) => readNzBatchFile(text, "nz-bnz")],
  [/^12\d{6}/, readAsbFile],
  [/^A[,\d]/, readWestpacFile],
  [/^0 /, readDirectEntry],
];

/** Larger files can't be held as one text. */
const sizeMax = 256 * 1024 * 1024;

/** Reads a file of any format. Never throws: what is wrong with it is in its problems. */
export function readInstructions(bytes: Buffer): InstructionFile {
  if (bytes.length > sizeMax) return refuse("the file is larger than 256 MB");
  const text = bytes.toString("utf8");
  const [, read] = readers.find(([start]) => start.test(text)) ?? [];
  return read ? read(text) : refuse("the file is of no format that this bank takes");
}

function refuse(problem: string): InstructionFile {
  return { ...emptyFile("unknown"), problems: [problem] };
}
