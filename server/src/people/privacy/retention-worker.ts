// Removes old data in the background, in the process that leads.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import {
  type Retention,
  type RetentionKind,
  retentionDayMs,
  retentionKinds,
  retentionLimits,
} from "../../platform/retention/index.ts";
import { enforceRetention } from "./retention.ts";
import { findOldestKept } from "./retention-queries.ts";

type RetentionWorkerParts = {
  db: Db;
  seal: Seal;
  log: { warn(context: object, message: string): void };
  metrics?: Metrics | undefined;
  retention: Retention;
  clock?: Clock;
};

export function startRetentionWorker(parts: RetentionWorkerParts): Poller {
  const { db, seal, log, metrics, retention, clock = systemClock } = parts;
  /** When the oldest row of each kind was made. Read after each run, so that a scrape reads nothing. */
  const oldestMs = new Map<RetentionKind, number | undefined>();
  metrics?.collectRetention(() => {
    const nowMs = clock();
    return [...oldestMs].map(([kind, atMs = nowMs]) => ({
      kind,
      oldestAgeSeconds: Math.max(0, nowMs - atMs) / 1000,
      keptSeconds: (retention[kind] * retentionDayMs) / 1000,
    }));
  });
  const poller = startPoller({
    everyMs: retentionLimits.pollMs,
    onError: (error) => log.warn({ err: error }, "retention: will try again"),
    async poll() {
      const onRemoved = (kind: string, rows: number) => metrics?.retentionRemoved(kind, rows);
      const run = { retention, nowMs: clock(), onRemoved };
      try {
        if (!(await enforceRetention({ db: db.background, seal }, run))) poller.wake();
      } finally {
        for (const kind of retentionKinds) {
          oldestMs.set(kind, await findOldestKept(db.background, kind));
        }
      }
    },
  });
  return poller;
}
