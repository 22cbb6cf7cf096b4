// Creates a receiver or a payout from each row of a file, in batches. A row is created once, however often it is imported.

import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../../platform/base/index.ts";
import { isOutage, isStatementError } from "../../platform/db/index.ts";
import type { RequestConflict } from "../../platform/idempotency/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Code } from "../../platform/refusals/index.ts";
import type { Row } from "./import-rows.ts";

/** The result of a row. */
export type RowResult = {
  outcome: "created" | "already_imported" | "refused";
  id?: string | undefined;
  code?: Code;
};

/** Turns rows into creations, and creates them. */
export type Creator<Creation> = {
  /** Called with each row, in their order. */
  toCreation(row: Row): Creation;
  /** One result for each row, in their order. The keys of the rows make it safe to repeat. */
  create(creations: readonly Creation[]): Promise<RowResult[]>;
  /** More than one is faster where the order in which they are committed does not matter. */
  batchesAtOnce: number;
};

export type CreatedRow = RowResult & { row: number };

type Creating<Creation> = {
  /** In the order of the file, without problems. */
  rows: AsyncIterable<readonly Row[]>;
  creator: Creator<Creation>;
  /** Called before each batch. Running batches are finished and reported. */
  isStopped: () => boolean | Promise<boolean>;
};

const attemptsMax = 5;

/** The results of the rows, batch by batch, in their order. */
export async function* createRows<Creation>({
  rows,
  creator,
  isStopped,
}: Creating<Creation>): AsyncGenerator<CreatedRow[]> {
  const running: { batch: Row[]; answers: Promise<RowResult[]> }[] = [];
  const start = (batch: Row[]) => {
    // Made now and not when the row was read, because an id carries the time.
    const creations = batch.map((row) => creator.toCreation(row));
    const answers = withPatience(() => creator.create(creations), hasHeldKeys);
    // It is awaited later. Until then a rejection must not end the process.
    answers.catch(() => {});
    running.push({ batch, answers });
  };
  const finishFirst = async (): Promise<CreatedRow[]> => {
    const { batch, answers } = running.shift() as (typeof running)[number];
    const results = await answers;
    return batch.map(({ number: row }, index) => ({ row, ...(results[index] as RowResult) }));
  };

  try {
    for await (const batch of inBatches(rows)) {
      if (running.length === creator.batchesAtOnce) yield await finishFirst();
      if (await isStopped()) break;
      start(batch);
    }
    while (running.length > 0) yield await finishFirst();
  } finally {
    await Promise.allSettled(running.map(({ answers }) => answers));
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

/** Whether another import holds the keys of some rows. */
function hasHeldKeys(answers: readonly RowResult[]): boolean {
  return answers.some(({ code }) => code === conflictCodes["key-held"]);
}

/** Repeats an attempt after an outage, when its outcome is unknown, and while its answer asks for it. */
export async function withPatience<Answer>(
  attempt: () => Promise<Answer>,
  isToRepeat: (answer: Answer) => boolean = () => false,
): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const isLast = attempts === attemptsMax;
    try {
      const answer = await attempt();
      if (isLast || !isToRepeat(answer)) return answer;
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

/** The idempotency key of a row, made from its content: the same row has the same key in every import. */
export function importKey(content: unknown): NonNullable<Caller["idempotency"]> {
  const requestHash = hash("sha256", JSON.stringify(content));
  return { key: `import ${requestHash}`, requestHash };
}

/** The result of a row from the response stored under its key, of this run or an earlier one. */
export function rowResultOf(
  outcome: RequestConflict,
  { id, answer }: { id: string; answer: string },
  idName: string,
): RowResult {
  if (typeof outcome === "string") return { outcome: "refused", code: conflictCodes[outcome] };
  // Also of a batch that was sent again: the answer that is kept is then the one we sent with it.
  if (outcome.body === answer) return { outcome: "created", id };
  const { payload } = JSON.parse(outcome.body) as { payload: Record<string, string> };
  // The answer of a payout that is sent later names its day.
  return { outcome: payload[idName] === id ? "created" : "already_imported", id: payload[idName] };
}

const conflictCodes: Record<Extract<RequestConflict, string>, Code> = {
  "key-reused": "IDEM102",
  "key-held": "IDEM103",
  "nonce-used": "AUTH107",
};
