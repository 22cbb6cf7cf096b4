// Runs an import and reports its progress. The state of an import: its rows, its rate, and the result of each row.

import type { ImportLine } from "@server/money/imports/schema.ts";
import { sendForLines } from "../api/call.ts";

export type RowResult = Extract<ImportLine, { kind: "row" }>;

export type Made = Extract<ImportLine, { kind: "new" }>;

export type Run = {
  rows: number;
  /** The new receivers and accounts so far. */
  made?: Made;
  /** The id of the import. Payouts have it as their `batch_id`. */
  id: string;
  results: readonly RowResult[];
  /** Undefined: still running. */
  ended: { how: "end" } | { how: "stopped"; message: string } | undefined;
  startedMs: number;
};

const progressMs = 120;

/** Resolves after the last row. Rows arrive faster than a page should render: progress is reported a few times a second. */
export async function runImport(
  path: string,
  body: object,
  onProgress: (run: Run) => void,
): Promise<void> {
  let run = newRun(Date.now());
  let lines: ImportLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    run = withLines(run, lines);
    lines = [];
    onProgress(run);
  };
  await sendForLines<ImportLine>(path, body, (line) => {
    lines.push(line);
    timer ??= setTimeout(report, progressMs);
  });
  report();
}

function newRun(nowMs: number): Run {
  return { rows: 0, id: "", results: [], ended: undefined, startedMs: nowMs };
}

function withLines(run: Run, lines: readonly ImportLine[]): Run {
  const results = lines.filter((line) => line.kind === "row");
  let next: Run = results.length > 0 ? { ...run, results: [...run.results, ...results] } : run;
  for (const line of lines) {
    if (line.kind === "start") next = { ...next, rows: line.rows, id: line.id };
    else if (line.kind === "new") next = { ...next, made: line };
    else if (line.kind === "end") next = { ...next, ended: { how: "end" } };
    else if (line.kind === "stopped") {
      next = { ...next, ended: { how: "stopped", message: line.message } };
    }
  }
  return next;
}

type OutcomeCounts = { created: number; already_imported: number; refused: number };

export function countOutcomes(results: readonly RowResult[]): OutcomeCounts {
  const counts: OutcomeCounts = { created: 0, already_imported: 0, refused: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

/** "412/1000 · 3 failed · 38/s · 15 s left" */
export function progressText({ rows, results, startedMs }: Run, nowMs: number): string {
  const done = results.length;
  const perSecond = (done * 1000) / Math.max(nowMs - startedMs, 1);
  const left = perSecond > 0 ? Math.ceil((rows - done) / perSecond) : undefined;
  return [
    `${done}/${rows}`,
    `${countOutcomes(results).refused} failed`,
    `${Math.round(perSecond)}/s`,
    left !== undefined && done < rows ? `${left} s left` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

const columns = ["row", "id", "outcome", "code", "message"] as const;

/** The same format as the command line writes. `idName`: of the objects that were created. */
export function resultCsv(results: readonly RowResult[], idName: string): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = results.map((result) =>
    columns.map((name) => cell(String(result[name]).replaceAll("_", " "))).join(","),
  );
  const header = columns.map((name) => (name === "id" ? idName : name)).join(",");
  return `${[header, ...lines].join("\n")}\n`;
}
