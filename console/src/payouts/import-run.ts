// An import under way, as the page shows it: how far it is, how fast, and what became of each row.

import type { ImportLine } from "@server/console/imports/schema.ts";

export type RowResult = Extract<ImportLine, { kind: "row" }>;

export type Run = {
  rows: number;
  batchId: string;
  results: readonly RowResult[];
  /** Undefined: still under way. */
  ended: { how: "end" } | { how: "stopped"; message: string } | undefined;
  startedMs: number;
};

export function newRun(nowMs: number): Run {
  return { rows: 0, batchId: "", results: [], ended: undefined, startedMs: nowMs };
}

export function withLines(run: Run, lines: readonly ImportLine[]): Run {
  const results = lines.filter((line) => line.kind === "row");
  let next: Run = results.length > 0 ? { ...run, results: [...run.results, ...results] } : run;
  for (const line of lines) {
    if (line.kind === "start") next = { ...next, rows: line.rows, batchId: line.batch_id };
    else if (line.kind === "end") next = { ...next, ended: { how: "end" } };
    else if (line.kind === "stopped") {
      next = { ...next, ended: { how: "stopped", message: line.message } };
    }
  }
  return next;
}

export type Tally = { created: number; already_imported: number; refused: number };

export function tallyOf(results: readonly RowResult[]): Tally {
  const tally: Tally = { created: 0, already_imported: 0, refused: 0 };
  for (const { outcome } of results) tally[outcome] += 1;
  return tally;
}

/** "412/1000 · 3 failed · 38/s · 15 s left" */
export function progressText({ rows, results, startedMs }: Run, nowMs: number): string {
  const done = results.length;
  const perSecond = (done * 1000) / Math.max(nowMs - startedMs, 1);
  const left = perSecond > 0 ? Math.ceil((rows - done) / perSecond) : undefined;
  return [
    `${done}/${rows}`,
    `${tallyOf(results).refused} failed`,
    `${Math.round(perSecond)}/s`,
    left !== undefined && done < rows ? `${left} s left` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

const columns = ["row", "payout_id", "outcome", "code", "message"] as const;

/** As the command line writes it. */
export function resultCsv(results: readonly RowResult[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = results.map((result) =>
    columns.map((name) => cell(String(result[name]).replaceAll("_", " "))).join(","),
  );
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}
