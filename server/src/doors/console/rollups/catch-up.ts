// Brings the roll-ups up to date: on demand, in short transactions. The caller waits a moment; a long run continues in
// the background.

import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, firstIdOf, idTimeMs } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { findDeliveryCursor, lockDeliveryCursor, rollUpAttempts } from "./delivery-queries.ts";
import { listProgress, lockCursor, rollUpTransfers } from "./queries.ts";

export type Rollups = {
  /** Resolves when the roll-ups are up to date, or after a moment. Returns whether they are. */
  catchUp(subaccountId: string): Promise<boolean>;
  close(): Promise<void>;
};

type RollupParts = { db: Db; clock: Clock; onError: (error: unknown) => void };

type Run = { isAsked: boolean; ended: Promise<boolean> };

const dayMs = 86_400_000;

export function rollups({ db, clock, onError }: RollupParts): Rollups {
  const runs = new Map<string, Run>();
  let isClosed = false;

  function begin(subaccountId: string): Run {
    const run: Run = { isAsked: true, ended: Promise.resolve(true) };
    runs.set(subaccountId, run);
    run.ended = passes(subaccountId, run)
      .catch((error) => {
        onError(error);
        return false;
      })
      .finally(() => runs.delete(subaccountId));
    return run;
  }

  /** A request during a pass starts another pass, because the current one may miss recent rows. */
  async function passes(subaccountId: string, run: Run): Promise<boolean> {
    while (run.isAsked && !isClosed) {
      run.isAsked = false;
      await addUpBooks(subaccountId);
      await addUpDeliveries(subaccountId);
    }
    return !isClosed;
  }

  async function addUpBooks(subaccountId: string): Promise<void> {
    const limit = limits.rollUpChunk;
    for (const { currency, transfers, number } of await listProgress(db, subaccountId)) {
      // Stops at the count of the start: under load, new transfers never end.
      for (let left = Number(transfers) - Number(number); left > 0 && !isClosed; ) {
        const folded = await db.transaction(async (tx) => {
          await lockCursor(tx, subaccountId, currency);
          return rollUpTransfers(tx, { subaccountId, currency, limit });
        });
        // 0: another process was faster.
        left = folded === 0 ? 0 : left - folded;
      }
    }
  }

  async function addUpDeliveries(subaccountId: string): Promise<void> {
    const nowMs = clock();
    const untilMs = nowMs - limits.attemptLagMs;
    const cursor = await findDeliveryCursor(db, subaccountId);
    // Recent attempts are counted when they are read.
    if (cursor && idTimeMs(cursor) > untilMs - limits.attemptLagMs) return;
    const firstId = firstIdOf(nowMs - limits.attemptKeptDays * dayMs);
    const toId = firstIdOf(untilMs);
    for (let isMore = true; isMore && !isClosed; ) {
      isMore = await db.transaction(async (tx) => {
        const fromId = await lockDeliveryCursor(tx, subaccountId, firstId);
        return rollUpAttempts(tx, { subaccountId, fromId, toId, limit: limits.rollUpChunk });
      });
    }
  }

  return {
    async catchUp(subaccountId) {
      const running = runs.get(subaccountId);
      if (running) running.isAsked = true;
      const run = running ?? begin(subaccountId);
      const waiting = new AbortController();
      const moment = sleep(limits.rollUpWaitMs, undefined, { signal: waiting.signal, ref: false });
      const isDone = await Promise.race([run.ended, moment.then(() => false).catch(() => false)]);
      waiting.abort();
      return isDone;
    },
    async close() {
      isClosed = true;
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}
