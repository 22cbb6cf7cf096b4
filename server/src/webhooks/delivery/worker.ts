// Delivers events. Holds a lock that shows other processes that this one is alive, and polls: claim.ts takes lanes,
// serve.ts sends their events, record.ts writes the outcomes. Any number of processes share the work.

import { setTimeout as sleep } from "node:timers/promises";
import { type Db, startPoller } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { DeliveryState } from "../../platform/metrics/index.ts";
import { deleteNotesOfOldEvents, keepEventPartitions } from "../events/index.ts";
import { laneClaims } from "./claim.ts";
import { abandonOldDeliveries } from "./queries.ts";
import { laneServer, type ServeParts } from "./serve.ts";
import { findDeliveryState } from "./state-queries.ts";
import { readWakeUp, startWakeUps, wakeUpChannel } from "./wake-ups.ts";
import { acquireWorkerLock, type WorkerLock } from "./worker-lock.ts";

export type DeliveryWorker = {
  /** A subaccount may have new deliveries. */
  hint(subaccountId: string): void;
  /** Without its lock, a worker claims nothing. */
  hasLock(): boolean;
  /** Resolves when every running attempt has ended and is recorded. */
  close(): Promise<void>;
};

const reconnectMs = 200;

type DeliveryWorkerParts = Omit<ServeParts, "onError"> & {
  /** How long events are kept. */
  eventKeptDays?: number;
};

export function startDeliveryWorker(parts: DeliveryWorkerParts): DeliveryWorker {
  const { db, seal, log, metrics, eventKeptDays = limits.eventKeptDays } = parts;
  const closing = new AbortController();
  const wakeUps = startWakeUps(db);
  let lock: WorkerLock | undefined;
  const claims = laneClaims({
    db,
    seal,
    serve: laneServer({ ...parts, onError }),
    wakeUps,
    lock: () => lock,
    closing: closing.signal,
    metrics,
    onUnreadableSecret,
    onError,
  });

  function onUnreadableSecret(subaccount_id: string): void {
    const cure = "rotate the secret: disburse subaccount rotate-postback-secret";
    log.warn({ subaccount_id, cure }, "events: the newest webhook secret can't be decrypted");
  }

  function onError(error: unknown): void {
    log.warn({ err: error }, "events: will try again");
  }

  async function connect(): Promise<void> {
    while (!lock && !closing.signal.aborted) {
      try {
        lock = await acquireWorkerLock(db, {
          onLost: onLockLost,
          channel: wakeUpChannel,
          onWakeUp: (text) => readWakeUp(text).forEach(claims.hintShared),
        });
      } catch (error) {
        onError(error);
        await sleep(reconnectMs);
      }
    }
    if (closing.signal.aborted) await lock?.close();
    finder.wake();
  }

  /** From now on other workers may claim our lanes. */
  function onLockLost(): void {
    lock = undefined;
    claims.stopLanes();
    connecting = connect();
  }

  async function abandonOld(): Promise<void> {
    const abandoned = await abandonOldDeliveries(db);
    if (abandoned > 0) metrics?.deliveryAbandoned(abandoned);
  }

  async function cleanUp(): Promise<void> {
    await keepEventPartitions(db, eventKeptDays);
    await deleteNotesOfOldEvents(db, Date.now(), eventKeptDays);
  }

  metrics?.collectDelivery(() => readDeliveryState(db, claims.lanesOwned()));

  const pollEvery = (everyMs: number, poll: () => Promise<void>) =>
    startPoller({ poll, everyMs, onError, inTurn: db.place });
  const finder = pollEvery(limits.lanePollMs, claims.find);
  const pollers = [
    finder,
    pollEvery(limits.laneWatchMs, claims.takeOver),
    // The lanes of this process, which no other renews.
    startPoller({ poll: claims.renew, everyMs: limits.laneRenewMs, onError }),
    pollEvery(limits.housekeepingMs, abandonOld),
    pollEvery(limits.partitionsKeptMs, cleanUp),
  ];
  let connecting = connect();

  return {
    hint: claims.hintLocal,
    hasLock: () => lock !== undefined,
    async close() {
      closing.abort();
      await Promise.all(pollers.map((poller) => poller.close()));
      await claims.close();
      await connecting;
      await lock?.close();
      wakeUps.close();
    },
  };
}

async function readDeliveryState(db: Db, owned: number): Promise<DeliveryState> {
  const state = await findDeliveryState(db);
  const [hour = 0, day = 0, week = 0] = state?.failing ?? [];
  const oldestMs = state?.oldest_age_ms ?? undefined;
  return {
    oldestAgeSeconds: oldestMs === undefined ? undefined : Number(oldestMs) / 1000,
    lanes: { owned, open: state?.backing_off ?? 0, disabled: state?.disabled ?? 0 },
    failing: { "1h": hour, "24h": day, "7d": week },
    unreadableSecrets: state?.unreadable_secrets ?? 0,
  };
}
