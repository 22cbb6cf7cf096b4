// The second pass over a file to import: creates what is in it, a batch at a time, each row once for all runs.

import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isOutage, isStatementError } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { type Code, refusals } from "../refusals.ts";
import type { Hindrance } from "../requests/once.ts";
import type { Caller } from "../subaccounts/subaccount.ts";
import type { CsvFile } from "./csv-file.ts";
import { type Row, type RowFormat, readRows } from "./csv-rows.ts";
import { Progress } from "./progress.ts";
import { Stop } from "./stop.ts";

export type Tally = { rows: number; created: number; already_imported: number; refused: number };

/** What became of a row. */
export type Told = {
  outcome: "created" | "already_imported" | "refused";
  id?: string | undefined;
  code?: Code;
};

/** How rows become what is created. */
export type Creator<Creation> = {
  /** Called with each row, in their order. */
  toCreation(row: Row): Creation;
  /** One answer for each, in their order. Under its keys a batch may be sent again. */
  create(creations: readonly Creation[]): Promise<Told[]>;
  /** More than one is faster where the order in which they are committed does not matter. */
  batchesUnderWay: number;
};

type Load<Creation> = {
  path: string;
  format: RowFormat;
  /** As many rows as the first pass has found. */
  total: number;
  creator: Creator<Creation>;
  result: CsvFile;
  interrupted: AbortSignal;
};

type Batch<Creation> = { number: number; creation: Creation }[];

const attemptsMax = 5;

export function resultHeader(idName: string): string[] {
  return ["row", idName, "outcome", "code", "message"];
}

/** Stops early, after the batches under way, when it is interrupted. */
export async function loadRows<Creation>(load: Load<Creation>) {
  const { path, format, total, creator, result, interrupted } = load;
  const tally: Tally = { rows: 0, created: 0, already_imported: 0, refused: 0 };
  const progress = new Progress({ what: "importing", total });
  const underWay: { batch: Batch<Creation>; answers: Promise<Told[]> }[] = [];

  const start = async (batch: Batch<Creation>) => {
    if (underWay.length === creator.batchesUnderWay) await finishFirst();
    const creations = batch.map(({ creation }) => creation);
    const answers = withPatience(() => creator.create(creations));
    // It is awaited when its turn comes. A failure before that is no reason to end the process.
    answers.catch(() => {});
    underWay.push({ batch, answers });
  };
  const finishFirst = async () => {
    const first = underWay.shift();
    if (!first) return;
    const answers = await first.answers;
    for (const [index, { number }] of first.batch.entries()) note(number, answers[index] as Told);
    result.flush();
    progress.at(tally.rows, tally.rows / total);
  };
  const note = (row: number, { outcome, id = "", code }: Told) => {
    tally.rows += 1;
    tally[outcome] += 1;
    const message = code ? refusals[code][1] : "";
    result.add(row, id, outcome.replaceAll("_", " "), code ?? "", message);
  };

  try {
    let batch: Batch<Creation> = [];
    reading: for await (const { rows } of readRows(path, format)) {
      for (const row of rows) {
        if (row.problems.length > 0) throw changed();
        batch.push({ number: row.number, creation: creator.toCreation(row) });
        if (batch.length < limits.batchSizeMax) continue;
        await start(batch);
        batch = [];
        if (interrupted.aborted) break reading;
      }
    }
    if (batch.length > 0 && !interrupted.aborted) await start(batch);
    while (underWay.length > 0) await finishFirst();
    if (tally.rows !== total && !interrupted.aborted) throw changed();
  } finally {
    await Promise.allSettled(underWay.map(({ answers }) => answers));
    progress.end(tally.rows);
  }
  const { seconds, rowsPerSecond } = progress;
  return { ...tally, seconds: Number(seconds.toFixed(1)), rows_per_second: rowsPerSecond };
}

function changed(): Stop {
  return new Stop("The file has changed since it was checked.");
}

/**
 * Again after an outage, when nobody knows what became of the batch, and while another import is at work on
 * some of the rows: under its keys it may be sent as often as it takes.
 */
async function withPatience(attempt: () => Promise<Told[]>): Promise<Told[]> {
  for (let attempts = 1; ; attempts += 1) {
    const isLast = attempts === attemptsMax;
    try {
      const answers = await attempt();
      if (isLast || !answers.some(({ code }) => code === hindranceCodes["key-held"]))
        return answers;
    } catch (error) {
      if (isLast || !isPassing(error)) throw error;
    }
    await sleep(attempts * 1000);
  }
}

function isPassing(error: unknown): boolean {
  const isDeadlock = isStatementError(error) && error.code === "40P01";
  return isDeadlock || isOutage(error);
}

/** The key is made of what a row is known by: wherever and whenever it comes again, it was there before. */
export function importKey(content: unknown): NonNullable<Caller["idempotency"]> {
  const requestHash = hash("sha256", JSON.stringify(content));
  return { key: `import:${requestHash}`, requestHash };
}

/** Of an answer that is kept under a row's key: it may be the one that was sent now, or an earlier one. */
export function toldOf(
  outcome: Hindrance,
  { id, answer }: { id: string; answer: string },
  idName: string,
): Told {
  if (typeof outcome === "string") return { outcome: "refused", code: hindranceCodes[outcome] };
  // Also of a batch that was sent again: the answer that is kept is then the one we sent with it.
  if (outcome.body === answer) return { outcome: "created", id };
  const { payload } = JSON.parse(outcome.body) as { payload: Record<string, string> };
  return { outcome: "already_imported", id: payload[idName] };
}

const hindranceCodes: Record<Extract<Hindrance, string>, Code> = {
  "key-reused": "IDEM102",
  "key-held": "IDEM103",
  "nonce-used": "AUTH107",
};
