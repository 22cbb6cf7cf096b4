// The physical records of a BAI2 file: one on each line, as the standard says, or several, or one over two lines.

import { splitLines } from "../file-lines.ts";
import type { FileProblems } from "../report.ts";

export type PhysicalRecord = {
  /** Two digits; others where the line begins with none. */
  code: string;
  line: number;
  /** Where the fields after the code begin. */
  column: number;
  /** What follows the code and its comma, without the slash at the end. */
  content: string;
  /** Whether a slash ends it. */
  isEnded: boolean;
};

export const continuationCode = "88";

const codes: ReadonlySet<string> = new Set([
  "01",
  "02",
  "03",
  "16",
  "49",
  continuationCode,
  "98",
  "99",
]);

/** A slash inside of a line ends a record where another follows, which begins as records do. Texts may hold slashes. */
const nextRecord =
  /\/\s+(?=(?:0[12],[^,]*,|03,[^,]*,[A-Z]{0,3},|16,\d{3},|88,|49,[+-]?\d+,\d+\/|9[89],[+-]?\d+,\d+,\d+\/))/g;

export function* physicalRecords(
  text: string,
  problems: FileProblems,
): Generator<PhysicalRecord, void, void> {
  let open: PhysicalRecord | undefined;
  for (const { number, text: line } of splitLines(text)) {
    for (const { column, piece } of splitLine(line)) {
      const record = toRecord(number, column, piece);
      if (open && !open.isEnded && !codes.has(record.code)) {
        const message = `a line should begin with a record code; it is read as part of line ${open.line}`;
        problems.warning(number, column, message);
        open.content += ended(piece).content;
        open.isEnded = record.isEnded;
        continue;
      }
      if (open) yield open;
      open = record;
    }
  }
  if (open) yield open;
}

function* splitLine(line: string): Generator<{ column: number; piece: string }, void, void> {
  let start = 0;
  for (const { 0: end, index } of line.matchAll(nextRecord)) {
    yield* trimmed(line.slice(start, index + 1), start);
    start = index + end.length;
  }
  yield* trimmed(line.slice(start), start);
}

function* trimmed(text: string, start: number) {
  const piece = text.trim();
  if (piece !== "" && piece !== "\u001a") yield { column: start + 1 + text.search(/\S/), piece };
}

function toRecord(line: number, column: number, piece: string): PhysicalRecord {
  const [, code = ""] = /^(\d\d)(?:,|\/$)/.exec(piece) ?? [];
  const start = code === "" ? 0 : code.length + 1;
  return { code, line, column: column + start, ...ended(piece.slice(start)) };
}

function ended(text: string): Pick<PhysicalRecord, "content" | "isEnded"> {
  const isEnded = text.endsWith("/");
  return { content: isEnded ? text.slice(0, -1) : text, isEnded };
}
