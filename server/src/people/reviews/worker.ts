// The screening worker: gives records to subjects without one, and raises records below the current set. Every process
// with background work runs it; locks divide the work between them.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { countRecordsBehind, oldestOpenHitMs, type RunningScreener } from "../screening/index.ts";
import { rescreen } from "./rescreen.ts";
import { listUnheldHits } from "./subject-queries.ts";
import { walkSubjects } from "./walk.ts";

type ScreeningWorkerParts = {
  db: Db;
  seal: Seal;
  screener: RunningScreener;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
  };
  metrics?: Metrics | undefined;
  clock?: Clock;
};

export function startScreeningWorker(parts: ScreeningWorkerParts): Poller {
  const { db, seal, screener, log, metrics, clock = systemClock } = parts;
  let isClosed = false;
  const isStopping = () => isClosed;
  /** The set that all records had at the last look. */
  let completeSetId = 0;

  metrics?.collectScreening(async () => {
    const setId = screener.loaded?.setId ?? 0;
    const oldestMs = await oldestOpenHitMs(db);
    return {
      recordsBehind: await countRecordsBehind(db, setId, limits.recordsCountedMax),
      oldestHitAgeSeconds: oldestMs === undefined ? 0 : Math.max(clock() - oldestMs, 0) / 1000,
    };
  });

  const poller = startPoller({
    everyMs: limits.rescreenPollMs,
    onError: (error) => log.warn({ err: error }, "screening: will try again"),
    async poll() {
      const { loaded } = screener;
      if (!loaded) return;
      const { hold } = screener;
      const walked = await walkSubjects({ db, seal, loaded, hold, nowMs: clock(), isStopping });
      const total = { records: walked, compared: walked, hits: 0 };
      await rescreen({
        db,
        seal,
        loaded,
        hold,
        clock,
        isStopping,
        onPage({ records, compared, hits }) {
          total.records += records;
          total.compared += compared;
          total.hits += hits;
        },
      });
      await sweepHits(parts, clock());
      if (isClosed || (total.records === 0 && completeSetId === loaded.setId)) return;
      completeSetId = loaded.setId;
      log.info({ set: loaded.setId, ...total }, "screening: records are at the current set");
    },
  });
  screener.onLoad(poller.wake);
  return {
    wake: poller.wake,
    close() {
      isClosed = true;
      return poller.close();
    },
  };
}

/** Holds payouts that were created while a hit was being opened, and so were seen by neither transaction. */
async function sweepHits(
  { db, screener }: Pick<ScreeningWorkerParts, "db" | "screener">,
  nowMs: number,
): Promise<void> {
  for (const hit of await listUnheldHits(db, nowMs - limits.hitSweepMs)) {
    const receiver = { subaccountId: hit.subaccount_id, receiverId: hit.receiver_id };
    await db.transaction((tx) => screener.hold(tx, receiver, { id: hit.id, atMs: nowMs }));
  }
}
