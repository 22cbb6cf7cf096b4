// Adds up what has happened since it was last looked at: on demand, beside everything else, in short transactions. Who
// asks waits a moment; a long way is gone to its end in the background.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import { firstIdOf } from "../../cursor.ts";
import type { Db } from "../../db/connect.ts";
import { idTimeMs } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { findDeliveryCursor, lockDeliveryCursor, rollUpAttempts } from "./delivery-queries.ts";
import { listProgress, lockCursor, rollUpTransfers } from "./queries.ts";

export type Rollups = {
  /** Resolves when what was there is added up, or after a moment: whether it is. */
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

  /** Asked during a pass, there is another one: that one may have begun too early to see everything. */
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
      // Up to what was there when we looked: under load, something new always comes.
      for (let left = Number(transfers) - Number(number); left > 0 && !isClosed; ) {
        const folded = await db.transaction(async (tx) => {
          await lockCursor(tx, subaccountId, currency);
          return rollUpTransfers(tx, { subaccountId, currency, limit });
        });
        // Nothing, where another process was quicker.
        left = folded === 0 ? 0 : left - folded;
      }
    }
  }

  async function addUpDeliveries(subaccountId: string): Promise<void> {
    const nowMs = clock();
    const untilMs = nowMs - limits.attemptLagMs;
    const cursor = await findDeliveryCursor(db, subaccountId);
    // The few that came since are counted when they are read.
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
      const underWay = runs.get(subaccountId);
      if (underWay) underWay.isAsked = true;
      const run = underWay ?? begin(subaccountId);
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
