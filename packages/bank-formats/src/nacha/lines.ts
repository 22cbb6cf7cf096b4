// The lines of a NACHA file, each as long as a record must be. What is too long or too short is reported.

import { findForeignCharacter, nameCharacter, printableAscii } from "../characters.ts";
import { type FileLine, splitLines } from "../file-lines.ts";
import type { RecordLayout } from "../record-layout.ts";
import type { FileProblems } from "../report.ts";
import { nachaFileControlLayout, nachaFileHeaderLayout, recordLength } from "./layouts.ts";

/** Fills the last block of ten lines. */
export const paddingLine = "9".repeat(recordLength);

export function isPadding(text: string): boolean {
  return /^9+ *$/.test(text);
}

export function* nachaLines(text: string, problems: FileProblems): Generator<FileLine, void, void> {
  let firstEmpty = 0;
  for (const line of physicalLines(text)) {
    if (line.text.trim() === "" || line.text === endOfFile) {
      firstEmpty ||= line.number;
      continue;
    }
    if (firstEmpty > 0) {
      problems.warning(firstEmpty, 1, "a record must be here, but the line is empty");
    }
    firstEmpty = 0;
    yield { number: line.number, text: fit(line, problems) };
  }
}

/** Old systems end a file with this character. */
const endOfFile = "\u001a";

/** Some systems write blocks without line ends, so a first line of several records is cut. */
function* physicalLines(text: string): Generator<FileLine, void, void> {
  const lines = splitLines(text);
  const { value: first } = lines.next();
  if (!first) return;
  const cut = cutBlocks(first.text);
  for (const [index, record] of cut.entries()) yield { number: index + 1, text: record };
  for (const { number, text: line } of lines) yield { number: number + cut.length - 1, text: line };
}

function cutBlocks(line: string): string[] {
  if (line.length < 2 * recordLength) return [line];
  // Fixed lengths mean bytes. Where the characters don't fill whole records, but their bytes do, bytes were meant.
  const isWhole = line.length % recordLength === 0;
  const bytes = isWhole ? line : windows1252.decode(new TextEncoder().encode(line));
  const block = bytes.length % recordLength === 0 ? bytes : line;
  const count = Math.ceil(block.length / recordLength);
  return Array.from({ length: count }, (_, index) =>
    block.slice(index * recordLength, (index + 1) * recordLength),
  );
}

/** Gives one character for each byte. */
const windows1252 = new TextDecoder("windows-1252");

const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The line with 94 characters. Reading goes on with it, so that its sums are shown in any case. */
function fit({ number, text }: FileLine, problems: FileProblems): string {
  // A character outside of the first plane counts once.
  const line = text.replace(pairs, "\ufffd");
  const foreign = findForeignCharacter(line, printableAscii);
  if (foreign >= 0) {
    const character = nameCharacter(line[foreign] ?? "");
    problems.warning(
      number,
      foreign + 1,
      `a record should be printable ASCII, but has ${character}`,
    );
  }
  const { length } = line;
  if (length === recordLength) return line;
  const message = `a record must have ${recordLength} characters, but has ${length}`;
  if (length > recordLength) {
    const isHarmless = line.slice(recordLength).trim() === "" || isPadding(line);
    const end = isHarmless ? "; the rest is left out" : "";
    problems[isHarmless ? "warning" : "error"](number, recordLength + 1, message + end);
    return line.slice(0, recordLength);
  }
  if (isPadding(line)) {
    problems.warning(number, length + 1, message);
    return paddingLine;
  }
  const isHarmless = length >= requiredLength(line);
  const end = isHarmless ? "; the rest is read as spaces" : "";
  problems[isHarmless ? "warning" : "error"](number, length + 1, message + end);
  return line.padEnd(recordLength);
}

/** How long a record must be at least, so that only spaces can be missing. */
function requiredLength(line: string): number {
  if (line.startsWith("1")) return requiredHeaderLength;
  return line.startsWith("9") ? requiredControlLength : recordLength;
}

const requiredHeaderLength = endOfDigits(nachaFileHeaderLayout);
const requiredControlLength = endOfDigits(nachaFileControlLayout);

function endOfDigits({ fields }: RecordLayout<string>): number {
  const digits = fields.filter(({ kind }) => kind === "digits");
  return Math.max(...digits.map(({ at, length }) => at + length - 1));
}
