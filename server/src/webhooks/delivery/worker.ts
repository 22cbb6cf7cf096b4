// Delivers events. Holds a lock that shows other processes that this one is alive, and polls: claim.ts takes lanes,
// serve.ts sends their events, record.ts writes the outcomes. Any number of processes share the work.

import { setTimeout as sleep } from "node:timers/promises";
import { type Db, startPoller } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { DeliveryState } from "../../platform/metrics/index.ts";
import {
  advanceFurtherRecoveries,
  advanceRecoveries,
  deleteNotesOfOldEvents,
  keepEventPartitions,
} from "../events/index.ts";
import { endpointOfLane } from "../webhook-endpoints/index.ts";
import { laneClaims } from "./claim.ts";
import { startFanOut } from "./fan-out.ts";
import { furtherLanes, postbackLanes, releaseLanesOfLostWorkers } from "./queries.ts";
import { laneServer, type ServeParts } from "./serve.ts";
import { findDeliveryState } from "./state-queries.ts";
import { tellEndpointChanges } from "./tell.ts";
import { deleteRemovedEndpoints, disableFailingEndpoints } from "./tell-queries.ts";
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
  const claimsOf = (queries: typeof postbackLanes, recover: (db: Db) => Promise<string[]>) =>
    laneClaims({
      db,
      queries,
      seal,
      serve: laneServer({ ...parts, onError }, queries),
      recover,
      wakeUps,
      lock: () => lock,
      closing: closing.signal,
      metrics,
      onUnreadableSecret,
      onError,
    });
  const postback = claimsOf(postbackLanes, advanceRecoveries);
  const further = claimsOf(furtherLanes, advanceFurtherRecoveries);
  const kinds = [postback, further];
  const onDeliveries = further.hintLocal;
  const fanOut = startFanOut({ db, closing: closing.signal, onDeliveries, onError });

  function onUnreadableSecret(lane: string): void {
    const { subaccountId: subaccount_id, endpointId: endpoint_id } = endpointOfLane(lane);
    const cure = endpoint_id
      ? "rotate the secret and enable the endpoint: disburse endpoints rotate, enable"
      : "rotate the secret: disburse subaccount rotate-postback-secret";
    const endpoint = endpoint_id && { endpoint_id };
    log.warn(
      { subaccount_id, ...endpoint, cure },
      "events: the newest webhook secret can't be decrypted",
    );
  }

  /** Another process wakes us. */
  function onWakeUp(subaccountId: string): void {
    postback.hintShared(subaccountId);
    further.wakeOwned(subaccountId);
    fanOut.hint(subaccountId);
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
          onWakeUp: (text) => readWakeUp(text).forEach(onWakeUp),
        });
      } catch (error) {
        onError(error);
        await sleep(reconnectMs);
      }
    }
    if (closing.signal.aborted) await lock?.close();
    for (const finder of finders) finder.wake();
  }

  /** From now on other workers may claim our lanes. */
  function onLockLost(): void {
    lock = undefined;
    for (const { stopLanes } of kinds) stopLanes();
    connecting = connect();
  }

  async function abandonOld(): Promise<void> {
    for (const { abandonOldDeliveries } of [postbackLanes, furtherLanes]) {
      const abandoned = await abandonOldDeliveries(db);
      if (abandoned > 0) metrics?.deliveryAbandoned(abandoned);
    }
  }

  /** Frees the lanes of workers that have lost their lock, and claims them. */
  async function takeOver(): Promise<void> {
    if (!lock) return;
    for (const lane of await releaseLanesOfLostWorkers(db, lock)) {
      (endpointOfLane(lane).endpointId ? further : postback).hintShared(lane);
    }
  }

  async function tell(): Promise<void> {
    await tellEndpointChanges({ db, log, metrics });
    await deleteRemovedEndpoints(db);
  }

  async function cleanUp(): Promise<void> {
    await keepEventPartitions(db, eventKeptDays);
    await deleteNotesOfOldEvents(db, Date.now(), eventKeptDays);
  }

  metrics?.collectDelivery(() =>
    readDeliveryState(db, postback.lanesOwned() + further.lanesOwned()),
  );

  const pollEvery = (everyMs: number, poll: () => Promise<void>) =>
    startPoller({ poll, everyMs, onError, inTurn: db.place });
  const finders = [postback.find, further.find, fanOut.find].map((find) =>
    pollEvery(limits.lanePollMs, find),
  );
  const pollers = [
    ...finders,
    pollEvery(limits.laneWatchMs, takeOver),
    // The lanes of this process, which no other renews.
    ...kinds.map(({ renew }) => startPoller({ poll: renew, everyMs: limits.laneRenewMs, onError })),
    pollEvery(limits.housekeepingMs, abandonOld),
    pollEvery(limits.housekeepingMs, async () => void (await disableFailingEndpoints(db))),
    pollEvery(limits.endpointsToldMs, tell),
    pollEvery(limits.partitionsKeptMs, cleanUp),
  ];
  let connecting = connect();

  return {
    hint(subaccountId) {
      postback.hintLocal(subaccountId);
      fanOut.hint(subaccountId);
    },
    hasLock: () => lock !== undefined,
    async close() {
      closing.abort();
      await Promise.all(pollers.map((poller) => poller.close()));
      await fanOut.close();
      await Promise.all(kinds.map((claims) => claims.close()));
      await connecting;
      await lock?.close();
      wakeUps.close();
    },
  };
}

async function readDeliveryState(db: Db, owned: number): Promise<DeliveryState> {
  const state = await findDeliveryState(db);
  const [hour = 0, day = 0, week = 0] = state.failing;
  const oldestMs = state.oldest_age_ms ?? undefined;
  return {
    oldestAgeSeconds: oldestMs === undefined ? undefined : Number(oldestMs) / 1000,
    lanes: { owned, open: state.backing_off, disabled: state.disabled },
    failing: { "1h": hour, "24h": day, "7d": week },
    unreadableSecrets: state.unreadable_secrets,
  };
}
