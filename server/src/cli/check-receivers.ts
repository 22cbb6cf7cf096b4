// The first pass over a file of receivers: every row is checked before any of them is created.

import { hash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { emailKey } from "../receivers/receiver.ts";
import { refusals } from "../refusals.ts";
import { CsvFile } from "./csv-file.ts";
import { Progress } from "./progress.ts";
import { type Row, type RowProblem, readRows } from "./receiver-file.ts";

export type Checked = {
  rows: number;
  problems: number;
  /** The first of them, to be shown. */
  shown: RowProblem[];
};

const shownMax = 50;

/** All problems are written to a file; where there are none, there is no such file. */
export async function checkReceivers(
  { input, problems }: { input: string; problems: string },
  interrupted: AbortSignal,
): Promise<Checked> {
  rmSync(problems, { force: true });
  const { size } = statSync(input);
  const progress = new Progress({ what: "checking" });
  const repeatedEmail = emailCheck();
  const checked: Checked = { rows: 0, problems: 0, shown: [] };
  let file: CsvFile | undefined;
  try {
    for await (const { rows, bytesRead } of readRows(input)) {
      for (const row of rows) {
        for (const problem of [...row.problems, ...repeatedEmail(row)]) {
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

/** Of a million addresses, hashes are what fits into memory, and what may be kept there. */
function emailCheck(): (row: Row) => RowProblem[] {
  const firstRows = new Map<string, number>();
  return ({ number, fields: { email } }) => {
    if (typeof email !== "string") return [];
    const key = hash("sha256", emailKey(email), "binary");
    const first = firstRows.get(key);
    if (first === undefined) {
      firstRows.set(key, number);
      return [];
    }
    const message = `${refusals.REVR201[1]}: it is that of row ${first} too`;
    return [{ row: number, column: "email", code: "REVR201", message }];
  };
}

export function problemLine({ row, column, code, message }: RowProblem): string {
  return `row ${row}${column && `, ${column}`}: ${message}${code && ` (${code})`}`;
}
