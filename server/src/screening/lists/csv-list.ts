// Rows of a publisher's CSV file, with their lines.

import { parse } from "csv-parse/sync";
import { csvSettings, describeCsvError } from "../../csv.ts";
import { type ListFile, type ListProblems, decodeText } from "./list-file.ts";

export type CsvListRow = { cells: string[]; line: number };

/** A cell of these files may hold a whole statement of reasons. */
const recordCharsMax = 1024 * 1024;

/** Undefined where the file is no CSV. */
export function readCsvRows(
  { name, bytes }: ListFile,
  problems: ListProblems,
  legacy?: "windows-1252",
): CsvListRow[] | undefined {
  const text = decodeText(bytes, legacy);
  if (text === undefined) {
    problems.error(name, { line: 0, column: 0 }, "the file is not text in UTF-8");
    return undefined;
  }
  let line = 1;
  try {
    // Old DOS programs end a file with the character 26, and so does OFAC.
    const records = parse(text.replace(/\u001A\s*$/, ""), {
      ...csvSettings,
      max_record_size: recordCharsMax,
      skip_empty_lines: true,
      info: true,
      on_record: (record: { record: string[]; info: { lines: number } }) => {
        line = record.info.lines + 1;
        return record;
      },
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({
      cells: record.map((cell) => cell.trim()),
      line: info.lines,
    }));
  } catch (error) {
    problems.error(name, { line, column: 1 }, lowerFirst(describeCsvError(error)));
    return undefined;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
