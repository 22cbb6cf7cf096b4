// The request log on its way to the database: rows gather in memory, and go there many at a time, one statement after
// the other. Adding one never waits and never fails. What there is no room for is dropped, and counted.

import { type Db, isOutage } from "../db/connect.ts";
import { startPoller } from "../db/poller.ts";
import { limits } from "../limits.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { Chunk, type LoggedRequest } from "./chunk.ts";
import { insertRequests, keepRequestPartitions } from "./queries.ts";
import { keepShapes } from "./shapes.ts";

export type RequestLog = {
  add(row: LoggedRequest): void;
  /** One that is not written, because of what it is. */
  drop(reason: DropReason): void;
  /** The number of a body's shape, where it has one. */
  shapeNumber(shape: string): number | undefined;
  /** Resolves when all that was added so far is written, or given up. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** full: the database is away or slow; refused: it would not take them; unproven: too many without a good signature. */
export type DropReason = "full" | "refused" | "unproven";

export type RequestLogParts = {
  db: Db;
  log: { warn(context: object, text: string): void };
  metrics?: Metrics | undefined;
};

export function startRequestLog({ db, log, metrics }: RequestLogParts): RequestLog {
  const spare: Chunk[] = [];
  /** Full ones, oldest first. Those that are being written stay here until they are. */
  let waiting: Chunk[] = [];
  let current = new Chunk();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;

  const keeper = startPoller({
    look: () => keepRequestPartitions(db),
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

  /** False where there is no more room. */
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

  /** Fails when the database is away: then they stay. */
  async function writeSome(chunks: readonly Chunk[]): Promise<void> {
    const rows = rowsOf(chunks);
    if (rows === 0) return;
    try {
      await insertRequests(db, chunks);
      metrics?.requestsLogged(rows);
    } catch (error) {
      if (isOutage(error)) throw error;
      // Refused as a whole, it would be refused again. (Or it was written and only the answer got lost: then it is
      // the key of the table that refuses it the second time.)
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
