// The first pass over a file to import: every row is checked before anything is created.

import { rmSync, statSync } from "node:fs";
import type { CheckAmong, RowProblem } from "../../money/imports/index.ts";
import { CsvFile } from "./csv-file.ts";
import { type FileFormat, readFileRows } from "./file-rows.ts";
import { Progress } from "./progress.ts";

export type CheckedRows = {
  rows: number;
  problems: number;
  /** The first problems, for the terminal. */
  shown: RowProblem[];
};

const shownMax = 50;

/** Writes all problems to a file. Without problems there is no file. */
export async function checkRows(
  { input, problems }: { input: string; problems: string },
  { format, checkAmong }: { format: FileFormat; checkAmong: CheckAmong },
  interrupted: AbortSignal,
): Promise<CheckedRows> {
  rmSync(problems, { force: true });
  const { size } = statSync(input);
  const progress = new Progress({ what: "checking" });
  const checked: CheckedRows = { rows: 0, problems: 0, shown: [] };
  let file: CsvFile | undefined;
  try {
    for await (const { rows, bytesRead } of readFileRows(input, format)) {
      for (const row of rows) {
        for (const problem of [...row.problems, ...checkAmong(row)]) {
          file ??= new CsvFile(problems, ["row", "column", "code", "problem"]);
          file.add(problem.row, problem.column, problem.code, problem.message);
          checked.problems += 1;
          if (checked.shown.length < shownMax) checked.shown.push(problem);
        }
      }
      checked.rows += rows.length;
      progress.at(checked.rows, bytesRead / size);
      if (interrupted.aborted) break;
    }
  } finally {
    file?.close();
  }
  progress.end(checked.rows);
  return checked;
}

export function problemLine({ row, column, code, message }: RowProblem): string {
  return `row ${row}${column && `, ${column}`}: ${message}${code && ` (${code})`}`;
}
