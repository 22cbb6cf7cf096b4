// The lines of a bank file. Banks end them with CR, LF, CRLF or LFCR.

import type { FileProblems } from "./report.ts";

export type FileLine = {
  /** From 1. */
  number: number;
  text: string;
};

/** Every line without its end. What follows the last line end is a line only where it is not empty. */
export function* splitLines(text: string): Generator<FileLine, void, void> {
  const ends = /\r\n|\n\r|\r|\n/g;
  let start = 0;
  let number = 1;
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    yield { number, text: text.slice(start, end.index) };
    start = ends.lastIndex;
    number += 1;
  }
  if (start < text.length) yield { number, text: text.slice(start) };
}

/** Old systems end a file with this character. */
const endOfFile = "\u001a";

/** The lines that hold records. Empty lines are reported, except at the end of the file. */
export function* recordLines(
  text: string,
  problems: FileProblems,
): Generator<FileLine, void, void> {
  let firstEmpty = 0;
  for (const line of splitLines(text)) {
    if (line.text.trim() === "" || line.text === endOfFile) {
      firstEmpty ||= line.number;
      continue;
    }
    if (firstEmpty > 0)
      problems.error(firstEmpty, 1, "a record must be here, but the line is empty");
    firstEmpty = 0;
    yield line;
  }
}

/** The first lines that hold something, to recognise a format by. */
export function firstLines(text: string, count: number): string[] {
  const found: string[] = [];
  // Enough for the longest records; a file may be one line of many megabytes.
  for (const line of splitLines(text.slice(0, 4096))) {
    if (line.text.trim() === "") continue;
    found.push(line.text);
    if (found.length === count) break;
  }
  return found;
}
