// The first pass over a file to import: every row is checked before anything is created.

import { type CheckAmong, cureOf, type Row, type RowProblem } from "../../money/imports/index.ts";
import { guardFormula } from "../../platform/documents/index.ts";
import { CsvFile } from "./csv-file.ts";
import type { RowsFile } from "./file-rows.ts";
import { removeFile } from "./local-files.ts";
import { Progress } from "./progress.ts";

export type CheckedRows = {
  rows: number;
  problems: number;
  /** The first problems, for the terminal. */
  shown: RowProblem[];
};

const shownMax = 50;
const problemHeader = ["row", "column", "code", "problem", "cell", "cure"];

/** Writes all problems to a file. Without problems there is no file. */
export async function checkRows(
  { file: input, problems }: { file: RowsFile; problems: string },
  { find, checkAmong }: { find: (rows: Row[]) => Promise<Row[]>; checkAmong: CheckAmong },
  interrupted: AbortSignal,
): Promise<CheckedRows> {
  removeFile(problems);
  const progress = new Progress({ what: "checking" });
  const checked: CheckedRows = { rows: 0, problems: 0, shown: [] };
  let file: CsvFile | undefined;
  try {
    for await (const { rows, bytesRead } of input.rows()) {
      for (const row of await find(rows)) {
        for (const problem of [...row.problems, ...checkAmong(row)]) {
          file ??= new CsvFile(problems, problemHeader);
          const { row, column, code, message, value = "" } = problem;
          file.add(row, column, code, message, guardFormula(value), cureOf(problem));
          checked.problems += 1;
          if (checked.shown.length < shownMax) checked.shown.push(problem);
        }
      }
      checked.rows += rows.length;
      progress.at(checked.rows, bytesRead / input.bytes);
      if (interrupted.aborted) break;
    }
  } finally {
    file?.close();
  }
  progress.end(checked.rows);
  return checked;
}

const shownCharsMax = 60;

export function problemLine(problem: RowProblem): string {
  const { row, column, code, message, value = "", cure } = problem;
  const shown = value.length > shownCharsMax ? `${value.slice(0, shownCharsMax)}…` : value;
  const cell = value === "" ? "" : ` ${JSON.stringify(shown)}`;
  const what = cure ? `${message}. ${cure}` : message;
  return `row ${row}${column && `, ${column}`}${cell}: ${what}${code && ` (${code})`}`;
}
