// Ends holds that no user decided about within 30 days, and holds payouts that were accepted while a hit was written.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { expireHolds, holdPayouts } from "./hold.ts";
import { listPayoutsToHold } from "./hold-queries.ts";

type HoldWorkerParts = {
  db: Db;
  log: { warn(context: object, message: string): void };
  clock?: Clock;
};

export function startHoldWorker({ db, log, clock = systemClock }: HoldWorkerParts): Poller {
  const limit = limits.holdsPageMax;
  const poller = startPoller({
    everyMs: limits.holdPollMs,
    onError: (error) => log.warn({ err: error }, "holds: will try again"),
    async poll() {
      const holding = { who: "service", atMs: clock(), reason: { kind: "screening" } } as const;
      const toHold = await listPayoutsToHold(db.background, limit);
      if (toHold.length > 0) {
        await db.background.transaction((tx) => holdPayouts(tx, toHold, holding));
      }
      const ended = await expireHolds(db.background, { nowMs: clock(), limit });
      if (ended > 0) log.warn({ payouts: ended }, "holds: payouts failed after 30 days");
      if (ended === limit) poller.wake();
    },
  });
  return poller;
}
