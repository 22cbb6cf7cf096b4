// Creates what the rows of a file say, a batch at a time, each row once for all runs.

import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../caller.ts";
import { isOutage, isStatementError } from "../db/connect.ts";
import type { RequestConflict } from "../idempotency/once.ts";
import { limits } from "../limits.ts";
import type { Code } from "../refusals/refusals.ts";
import type { Row } from "./csv-rows.ts";

/** What became of a row. */
export type RowResult = {
  outcome: "created" | "already_imported" | "refused";
  id?: string | undefined;
  code?: Code;
};

/** How rows become what is created. */
export type Creator<Creation> = {
  /** Called with each row, in their order. */
  toCreation(row: Row): Creation;
  /** One answer for each, in their order. Under its keys a batch may be sent again. */
  create(creations: readonly Creation[]): Promise<RowResult[]>;
  /** More than one is faster where the order in which they are committed does not matter. */
  batchesUnderWay: number;
};

export type CreatedRow = RowResult & { row: number };

type Creating<Creation> = {
  /** In the order of the file, all of them sound. */
  rows: AsyncIterable<readonly Row[]>;
  creator: Creator<Creation>;
  /** Asked before each batch. Those under way are waited for, and told of. */
  isStopped: () => boolean | Promise<boolean>;
};

const attemptsMax = 5;

/** What became of the rows, batch by batch, in their order. */
export async function* createRows<Creation>({
  rows,
  creator,
  isStopped,
}: Creating<Creation>): AsyncGenerator<CreatedRow[]> {
  const underWay: { batch: Row[]; answers: Promise<RowResult[]> }[] = [];
  const start = (batch: Row[]) => {
    // Now, and not when the row was read: an id carries the time, and a reader may have kept us waiting in between.
    const creations = batch.map((row) => creator.toCreation(row));
    const answers = withPatience(() => creator.create(creations));
    // It is awaited when its turn comes. A failure before that is no reason to end the process.
    answers.catch(() => {});
    underWay.push({ batch, answers });
  };
  const finishFirst = async (): Promise<CreatedRow[]> => {
    const { batch, answers } = underWay.shift() as (typeof underWay)[number];
    const told = await answers;
    return batch.map(({ number: row }, index) => ({ row, ...(told[index] as RowResult) }));
  };

  try {
    for await (const batch of inBatches(rows)) {
      if (underWay.length === creator.batchesUnderWay) yield await finishFirst();
      if (await isStopped()) break;
      start(batch);
    }
    while (underWay.length > 0) yield await finishFirst();
  } finally {
    await Promise.allSettled(underWay.map(({ answers }) => answers));
  }
}

async function* inBatches(rows: AsyncIterable<readonly Row[]>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const some of rows) {
    for (const row of some) {
      batch.push(row);
      if (batch.length < limits.batchSizeMax) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * Again after an outage, when nobody knows what became of the batch, and while another import is at work on
 * some of the rows: under its keys it may be sent as often as it takes.
 */
async function withPatience(attempt: () => Promise<RowResult[]>): Promise<RowResult[]> {
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
  return { key: `import ${requestHash}`, requestHash };
}

/** Of an answer that is kept under a row's key: it may be the one that was sent now, or an earlier one. */
export function rowResultOf(
  outcome: RequestConflict,
  { id, answer }: { id: string; answer: string },
  idName: string,
): RowResult {
  if (typeof outcome === "string") return { outcome: "refused", code: hindranceCodes[outcome] };
  // Also of a batch that was sent again: the answer that is kept is then the one we sent with it.
  if (outcome.body === answer) return { outcome: "created", id };
  const { payload } = JSON.parse(outcome.body) as { payload: Record<string, string> };
  return { outcome: "already_imported", id: payload[idName] };
}

const hindranceCodes: Record<Extract<RequestConflict, string>, Code> = {
  "key-reused": "IDEM102",
  "key-held": "IDEM103",
  "nonce-used": "AUTH107",
};
