// Rows of a publisher's CSV file, with their lines.

import { parse } from "csv-parse/sync";
import {
  csvSettings,
  describeCsvError,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { decodeText, type ListFile, type ListProblems } from "./list-file.ts";

export type CsvListRow = { cells: string[]; line: number };

/** A cell of these files may hold a whole statement of reasons. */
const recordCharsMax = 1024 * 1024;

/** Undefined where the file is no CSV. */
export function readListRows(
  { name, bytes }: ListFile,
  problems: ListProblems,
  legacy?: "windows-1252",
): CsvListRow[] | undefined {
  const text = decodeText(bytes, legacy);
  if (text === undefined) {
    problems.error(name, { line: 0, column: 0 }, "the file is not text in UTF-8");
    return undefined;
  }
  const rows: CsvListRow[] = [];
  try {
    // Old DOS programs end a file with the character 26, and so does OFAC.
    parse(text.trimEnd().replace(/\p{Cc}$/u, ""), {
      ...csvSettings,
      max_record_size: recordCharsMax,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        rows.push({ cells: cells.map((cell) => cell.trim()), line: lines });
        return null;
      },
    });
    return rows;
  } catch (error) {
    const line = (rows.at(-1)?.line ?? 0) + 1;
    problems.error(name, { line, column: 1 }, lowerFirst(describeCsvError(error)));
    return undefined;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
