// The second pass over a file to import: creates its rows, and writes the result of each.

import {
  type CreatedRow,
  type Creator,
  createRows,
  type Row,
  type RowRecorder,
} from "../../money/imports/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import { CliError } from "../setup/index.ts";
import type { CsvFile } from "./csv-file.ts";
import type { RowsFile } from "./file-rows.ts";
import { Progress } from "./progress.ts";

type ImportCounts = {
  rows: number;
  created: number;
  already_imported: number;
  refused: number;
};

type Load<Creation> = {
  file: RowsFile;
  find: (rows: Row[]) => Promise<Row[]>;
  /** Number of rows that the first pass found. */
  total: number;
  creator: Creator<Creation>;
  recorder: RowRecorder;
  result: CsvFile;
  /** Asked before each batch. */
  isStopped: () => Promise<boolean>;
};

export function resultHeader(idName: string): string[] {
  return ["row", idName, "outcome", "code", "message"];
}

/** After an interruption it finishes the current batches and stops. */
export async function loadRows<Creation>(load: Load<Creation>) {
  const { file, find, total, creator, recorder, result, isStopped } = load;
  const counts: ImportCounts = { rows: 0, created: 0, already_imported: 0, refused: 0 };
  const progress = new Progress({ what: "importing", total });
  const note = ({ row, outcome, id = "", code }: CreatedRow) => {
    counts.rows += 1;
    counts[outcome] += 1;
    const message = code ? refusals[code][1] : "";
    result.add(row, id, outcome.replaceAll("_", " "), code ?? "", message);
  };

  const rows = recorder.watch(validRows(file, find));
  let wasStopped = false;
  try {
    for await (const batch of createRows({
      rows,
      creator,
      isStopped: async () => (wasStopped ||= await isStopped()),
    })) {
      batch.forEach(note);
      result.flush();
      await recorder.record(batch);
      progress.at(counts.rows, counts.rows / total);
    }
    if (counts.rows !== total && !wasStopped) throw changed();
  } finally {
    progress.end(counts.rows);
    // If this fails too, the error of the rows is the one to report. The console shows a silent import as stopped.
    await recorder.end().catch(() => {});
  }
  const { seconds, rowsPerSecond } = progress;
  return { ...counts, seconds: Number(seconds.toFixed(1)), rows_per_second: rowsPerSecond };
}

async function* validRows(file: RowsFile, find: Load<unknown>["find"]): AsyncGenerator<Row[]> {
  for await (const page of file.rows()) {
    const rows = await find(page.rows);
    if (rows.some(({ problems }) => problems.length > 0)) throw changed();
    yield rows;
  }
}

function changed(): CliError {
  return new CliError("The file has changed since it was checked.");
}
