// Writes the request log. Rows gather in memory and are written many at a time, one statement after the other. Adding a
// row never waits and never fails; rows without room are dropped and counted.

import { type Db, isOutage, startPoller } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { retentionTable } from "../../platform/retention/index.ts";
import { Chunk, type LoggedRequest } from "./chunk.ts";
import { insertRequests, keepRequestPartitions } from "./queries.ts";
import { keepShapes } from "./shapes.ts";

export type RequestLog = {
  add(row: LoggedRequest): void;
  /** Counts a request that is not logged. */
  drop(reason: DropReason): void;
  /** The number of a shape, if it has one. */
  shapeNumber(shape: string): number | undefined;
  /** Resolves when all rows that were added so far are written or dropped. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** full: the database is down or slow; refused: it rejected them; unproven: too many requests without a valid signature. */
type DropReason = "full" | "refused" | "unproven";

type RequestLogParts = {
  db: Db;
  log: { warn(context: object, text: string): void };
  metrics?: Metrics | undefined;
  keptDays?: number;
};

export function startRequestLog({
  db,
  log,
  metrics,
  keptDays = retentionTable.requestLog.days,
}: RequestLogParts): RequestLog {
  const spare: Chunk[] = [];
  /** Full chunks, oldest first. A chunk stays here until it is written. */
  let waiting: Chunk[] = [];
  let current = new Chunk();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;

  const keeper = startPoller({
    poll: () => keepRequestPartitions(db, keptDays),
    everyMs: limits.partitionsKeptMs,
    onError: (error) => log.warn({ err: error }, "request log: partitions"),
  });

  const shapes = keepShapes({
    db,
    onError: (error) => log.warn({ err: error }, "request log: shapes"),
  });

  const drop = (reason: DropReason, rows = 1) => void metrics?.requestsDropped(reason, rows);

  function add(row: LoggedRequest): void {
    if (!current.add(row) && !(turnOver() && current.add(row))) {
      drop("full");
      return;
    }
    if (timer === undefined && writing === undefined) writeIn(limits.requestFlushMs);
  }

  /** Returns false if there is no room. */
  function turnOver(): boolean {
    if (waiting.length + 1 >= limits.requestChunksMax) return false;
    waiting.push(current);
    current = spare.pop() ?? new Chunk();
    return true;
  }

  function writeIn(ms: number): void {
    timer = setTimeout(() => void write(), ms);
    timer.unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll();
    return writing;
  }

  async function writeAll(): Promise<void> {
    let pauseMs: number = limits.requestFlushMs;
    try {
      do {
        if (current.rows > 0) turnOver();
        await writeSome(waiting.slice(0, limits.requestChunksWritten));
      } while (waiting.length > 0);
    } catch (error) {
      log.warn({ err: error }, "request log: the database is away");
      pauseMs = limits.requestRetryMs;
    }
    writing = undefined;
    if (waiting.length + current.rows > 0 && !isClosed) writeIn(pauseMs);
  }

  /** Throws if the database is down: then the chunks stay. */
  async function writeSome(chunks: readonly Chunk[]): Promise<void> {
    const rows = rowsOf(chunks);
    if (rows === 0) return;
    try {
      await insertRequests(db, chunks);
      metrics?.requestsLogged(rows);
    } catch (error) {
      if (isOutage(error)) throw error;
      // PostgreSQL would refuse them again. If they had been written and only the reply was lost, the primary key
      // refuses them.
      log.warn({ err: error, rows }, "request log: rows were refused");
      drop("refused", rows);
    }
    waiting = waiting.slice(chunks.length);
    for (const chunk of chunks)
      if (spare.length < limits.requestChunksWritten) spare.push(chunk.empty());
  }

  async function flush(): Promise<void> {
    await writing;
    await write();
  }

  return {
    add,
    drop: (reason) => drop(reason),
    shapeNumber: shapes.numberOf,
    flush,
    async close() {
      isClosed = true;
      await Promise.all([keeper.close(), shapes.close(), flush()]);
      const left = rowsOf([...waiting, current]);
      if (left > 0) drop("full", left);
    },
  };
}

function rowsOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { rows }) => sum + rows, 0);
}
