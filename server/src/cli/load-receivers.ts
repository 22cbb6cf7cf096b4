// The second pass over a file of receivers: creates them, a batch at a time, each row once for all runs.

import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, isOutage } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { type Creation, createMany, type Outcome, toCreation } from "../receivers/create.ts";
import type { CreatedReceiver, NewReceiver } from "../receivers/schema.ts";
import { type Code, refusals } from "../refusals.ts";
import type { CsvFile } from "./csv-file.ts";
import { callerOf, type Operator } from "./operator.ts";
import { Progress } from "./progress.ts";
import { type Row, readRows } from "./receiver-file.ts";
import { Stop } from "./stop.ts";

export type Tally = { rows: number; created: number; already_imported: number; refused: number };

type Load = {
  path: string;
  /** As many as the first pass has found. */
  total: number;
  operator: Operator;
  result: CsvFile;
  interrupted: AbortSignal;
};

const batchesUnderWay = 2;
const attemptsMax = 5;

export const resultHeader = ["row", "receiver_id", "outcome", "code", "message"];

/** Stops early, after the batches under way, when it is interrupted. */
export async function loadReceivers({ path, total, operator, result, interrupted }: Load) {
  const tally: Tally = { rows: 0, created: 0, already_imported: 0, refused: 0 };
  const progress = new Progress({ what: "importing", total });
  const underWay: { batch: ToCreate[]; outcomes: Promise<Outcome[]> }[] = [];

  const start = async (batch: ToCreate[]) => {
    if (underWay.length === batchesUnderWay) await finishFirst();
    const outcomes = createThrough(operator.db, batch);
    // It is awaited when its turn comes. A failure before that is no reason to end the process.
    outcomes.catch(() => {});
    underWay.push({ batch, outcomes });
  };
  const finishFirst = async () => {
    const first = underWay.shift();
    if (!first) return;
    const outcomes = await first.outcomes;
    for (const [index, { row, creation }] of first.batch.entries()) {
      note(row, told(creation, outcomes[index] as Outcome));
    }
    result.flush();
    progress.at(tally.rows, tally.rows / total);
  };
  const note = (row: number, { outcome, receiverId = "", code }: Told) => {
    tally.rows += 1;
    tally[outcome] += 1;
    const message = code ? refusals[code][1] : "";
    result.add(row, receiverId, outcome.replaceAll("_", " "), code ?? "", message);
  };

  try {
    let batch: ToCreate[] = [];
    reading: for await (const { rows } of readRows(path)) {
      for (const row of rows) {
        batch.push(toCreate(operator, row));
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
    await Promise.allSettled(underWay.map(({ outcomes }) => outcomes));
    progress.end(tally.rows);
  }
  const { seconds, rowsPerSecond } = progress;
  return { ...tally, seconds: Number(seconds.toFixed(1)), rows_per_second: rowsPerSecond };
}

type ToCreate = { row: number; creation: Creation };

/** The key is made of what is in the row: wherever and whenever the row comes again, it is known. */
function toCreate(operator: Operator, { number, fields, problems }: Row): ToCreate {
  if (problems.length > 0) throw changed();
  const requestHash = hash("sha256", JSON.stringify(fields));
  const caller = callerOf(operator, { key: `import:${requestHash}`, requestHash });
  const { providers, mode, who } = operator;
  const input = fields as unknown as NewReceiver;
  return { row: number, creation: toCreation(caller, input, providers[mode], who) };
}

function changed(): Stop {
  return new Stop("The file has changed since it was checked.");
}

/** Under its keys a batch may be sent again, also when nobody knows what became of it. */
async function createThrough(db: Db, batch: readonly ToCreate[]): Promise<Outcome[]> {
  const creations = batch.map(({ creation }) => creation);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcomes = await createMany(db, creations);
      if (attempt === attemptsMax || !outcomes.includes("key-held")) return outcomes;
    } catch (error) {
      if (!isOutage(error) || attempt === attemptsMax) throw error;
    }
    await sleep(attempt * 1000);
  }
}

type Told = {
  outcome: "created" | "already_imported" | "refused";
  receiverId?: string;
  code?: Code;
};

function told({ answer, row }: Creation, outcome: Outcome): Told {
  if (typeof outcome === "string") return { outcome: "refused", code: codes[outcome] };
  // Also of a batch that was sent again: the answer that is kept is then the one we sent with it.
  if (outcome.body === answer) return { outcome: "created", receiverId: row.id };
  const { payload } = JSON.parse(outcome.body) as { payload: CreatedReceiver };
  return { outcome: "already_imported", receiverId: payload.receiver_id };
}

const codes: Record<Extract<Outcome, string>, Code> = {
  "email-taken": "REVR201",
  "key-reused": "IDEM102",
  "key-held": "IDEM103",
  "nonce-used": "AUTH107",
};
