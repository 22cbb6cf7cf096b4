// Expires what no second user has decided about in time, and reports how long the oldest of each kind waits.

import { type Clock, systemClock } from "../../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Log } from "../../../platform/log/index.ts";
import type { Metrics } from "../../../platform/metrics/index.ts";
import { expireWaiting } from "./expire.ts";
import { listOldestWaiting, waitingKinds } from "./queries.ts";
import { waitingLimits } from "./waiting-limits.ts";

type WaitingWorkerParts = {
  db: Db;
  seal: Seal;
  log: Pick<Log, "warn">;
  metrics: Metrics;
  clock?: Clock;
};

export function startWaitingWorker(parts: WaitingWorkerParts): Poller {
  const { db, seal, log, metrics, clock = systemClock } = parts;
  metrics.collectApprovals(() => readAges(db, clock()));
  const poller = startPoller({
    everyMs: waitingLimits.pollMs,
    onError: (error) => log.warn({ err: error }, "expiry: will try again"),
    async poll() {
      const { expired, isMore } = await expireWaiting(
        { db, seal, log },
        { nowMs: clock(), limit: waitingLimits.page },
      );
      for (const [kind, count] of expired) {
        metrics.approvalsExpired(kind, count);
        log.warn({ kind, count }, "expired: no second user has decided within 30 days");
      }
      if (isMore) poller.wake();
    },
  });
  return poller;
}

/** In seconds; 0 where nothing waits. */
async function readAges(db: Db, nowMs: number): Promise<Record<string, number>> {
  const ages = Object.fromEntries(waitingKinds.map((kind) => [kind, 0]));
  const oldest = await listOldestWaiting(db, { beforeMs: nowMs, limit: 1 });
  for (const { kind, made_at_ms } of oldest) ages[kind] = (nowMs - Number(made_at_ms)) / 1000;
  return ages;
}
