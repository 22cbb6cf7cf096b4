// Delivers events. Takes the lanes on which something is due, runs each by itself, and lets go of it when there is
// nothing left; any number of processes do so together. A process that dies is noticed by the others at once.

import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { batch, oneAfterTheOther } from "../db/batch.ts";
import { type Db, isOutage } from "../db/connect.ts";
import { startPoller } from "../db/poller.ts";
import { eventName } from "../events/event.ts";
import { deleteNotesOfOldEvents, keepEventPartitions } from "../events/queries.ts";
import { advanceRecoveries } from "../events/recover.ts";
import { idTimeMs, newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { DeliveryState, Metrics } from "../metrics/metrics.ts";
import type { Seal } from "../seal.ts";
import { ensureSecret } from "../webhook-endpoints/secret.ts";
import { deliveryHeaders } from "./headers.ts";
import type { Poster } from "./http-client/post.ts";
import { type Lane, runLane, type SentDelivery } from "./lane.ts";
import {
  abandonOldDeliveries,
  type ClaimedLane,
  claimLanes,
  type DeliveryOutcomeRow,
  type DueDelivery,
  type DueRequest,
  findDeliveryState,
  findFreeLanes,
  listDueDeliveries,
  type Release,
  recordOutcomes,
  releaseLanes,
  releaseLanesOfLostWorkers,
  renewLanes,
} from "./queries.ts";
import { failingSteps, type RetryDecision } from "./retry.ts";
import { signingKeys } from "./signing-keys.ts";
import { readWakeUp, startWakeUps, wakeUpChannel } from "./wake-ups.ts";
import { acquireWorkerLock, type WorkerLock } from "./worker-lock.ts";

export type DeliveryWorker = {
  /** A subaccount may have something new to hear. */
  hint(subaccountId: string): void;
  /** Resolves when what was under way has been answered and written. */
  close(): Promise<void>;
};

export type DeliveryWorkerParts = {
  db: Db;
  seal: Seal;
  poster: Poster;
  log: { warn(context: object, message: string): void };
  metrics?: Metrics | undefined;
};

const outagePauseMs = 200;

export function startDeliveryWorker({
  db,
  seal,
  poster,
  log,
  metrics,
}: DeliveryWorkerParts): DeliveryWorker {
  const lanes = new Map<string, Lane>();
  /** With each, whether whoever holds the lane has to be told, because only we know of it. */
  const hints = new Map<string, boolean>();
  /** Lanes of which everything was held back, and until when looking again is no use. */
  const quietUntilMs = new Map<string, number>();
  const keysOf = signingKeys(seal);
  const notices = startWakeUps(db);
  let presence: WorkerLock | undefined;
  let claiming: Promise<void> | undefined;
  const closing = new AbortController();

  const fetch = batch((asked: DueRequest[]) => listDueDeliveries(db, asked));
  const release = batch(async (releases: Release[]) => {
    for (const { subaccount_id, passed } of await releaseLanes(db, releases)) {
      const failing_for = failingSteps[passed - 1]?.[0];
      log.warn({ subaccount_id, failing_for }, "events: an endpoint does not work");
    }
    return releases.map(() => undefined);
  });
  // The next try waits for none of these: the fuller a statement, the better.
  const write = batch(async (tries: DeliveryOutcomeRow[]) => {
    const repeated = await recordOutcomes(db, tries);
    metrics?.deliveryAckBatch(tries.length);
    for (let count = 0; count < repeated; count += 1) metrics?.deliveryDuplicate();
    return tries.map(() => undefined);
  }, oneAfterTheOther);

  function hint(subaccountId: string, isOurs: boolean): void {
    const lane = lanes.get(subaccountId);
    if (lane) {
      lane.more();
      return;
    }
    hints.set(subaccountId, isOurs || hints.get(subaccountId) === true);
    // At the end of this turn: hints that came together are one claim.
    claiming ??= turn().then(claim);
  }

  async function tidyUp(): Promise<void> {
    await keepEventPartitions(db);
    await deleteNotesOfOldEvents(db, Date.now());
  }

  /** What others know as well is not passed on, or it would go round for as long as somebody holds the lane. */
  const look = (subaccountId: string) => hint(subaccountId, false);

  async function claim(): Promise<void> {
    try {
      while (
        hints.size > 0 &&
        presence &&
        lanes.size < limits.lanesMax &&
        !closing.signal.aborted
      ) {
        await claimSome(presence);
      }
    } catch (error) {
      fault(error);
    } finally {
      claiming = undefined;
    }
  }

  async function claimSome(as: WorkerLock): Promise<void> {
    const hinted = new Map([...hints].slice(0, limits.lanesClaimedMax));
    for (const id of hinted.keys()) hints.delete(id);
    // Some may have become ours since the hint.
    for (const id of hinted.keys()) lanes.get(id)?.more();
    const subaccountIds = [...hinted.keys()].filter((id) => !lanes.has(id));
    if (subaccountIds.length === 0) return;
    const startMs = performance.now();
    const claimed = await claimLanes(db, { owner: as.number, subaccountIds });
    metrics?.deliveryClaim((performance.now() - startMs) / 1000);
    for (const id of claimed.heldElsewhere) if (hinted.get(id)) notices.add(id);
    // Taken under a number that is no longer ours: whoever sees that frees them.
    if (presence !== as) return;
    for (const lane of claimed.lanes) {
      try {
        if (lane.secrets) serve(lane);
        else await giveSecret(lane);
      } catch (error) {
        // Its secret can't be opened, say. The others were claimed as well, and have to be served.
        fault(error);
      }
    }
  }

  /** Of an address that is older than the secrets: it is taken once more, with one. */
  async function giveSecret({ subaccount_id }: ClaimedLane): Promise<void> {
    await db.transaction((tx) => ensureSecret({ tx, seal }, subaccount_id, Date.now()));
    hints.set(subaccount_id, false);
  }

  function serve(claimed: ClaimedLane): void {
    const { subaccount_id: subaccountId, epoch, url } = claimed;
    const signing = keysOf(claimed);
    let sends = 0;
    const lane = runLane(claimed, {
      fetch: (taken) => fetch({ subaccountId, epoch, taken }),
      send(due) {
        sends += 1;
        return send(due, url, signing());
      },
      acknowledge: (due, sent, verdict) => note(due, epoch, sent, verdict),
      release: (rest) => release({ subaccountId, epoch, ...rest }),
      onFault: fault,
    });
    lanes.set(subaccountId, lane);
    void lane.ended.then(({ hasMore }) => {
      lanes.delete(subaccountId);
      if (hasMore) look(subaccountId);
      else if (sends === 0) quietUntilMs.set(subaccountId, performance.now() + limits.laneQuietMs);
    });
  }

  async function send(
    due: DueDelivery,
    url: string,
    signing: Parameters<typeof deliveryHeaders>[0],
  ): Promise<SentDelivery> {
    const attemptId = newId();
    const atMs = idTimeMs(attemptId);
    const { subaccount_id: lane, body, attempts } = due;
    const id = eventName(due.event_id);
    const timestampS = Math.floor(atMs / 1000);
    if (attempts === 0) metrics?.deliveryFirstAttempt(secondsSince(due, atMs));
    const headers = deliveryHeaders(signing, { id, timestampS, body, attempt: attempts + 1 });
    return { attemptId, posted: await poster.post({ lane, url, headers, body }) };
  }

  async function note(
    due: DueDelivery,
    epoch: string,
    { attemptId, posted }: SentDelivery,
    { outcome, againAfterMs }: RetryDecision,
  ): Promise<void> {
    const isHeard = outcome === "delivered";
    metrics?.deliveryAttempt(outcome);
    if (!isHeard && againAfterMs === undefined) metrics?.deliveryAtRest();
    const { status, failure, detail, answer, tookMs } = posted;
    const tried: DeliveryOutcomeRow = {
      subaccount_id: due.subaccount_id,
      epoch,
      number: due.number,
      event_id: due.event_id,
      attempt_id: attemptId,
      attempt: due.attempts + 1,
      result: isHeard ? "heard" : againAfterMs === undefined ? "rest" : "again",
      again_after_ms: againAfterMs,
      status,
      failure: failure ?? (isHeard ? undefined : outcome),
      detail,
      took_ms: tookMs,
      answer,
    };
    await writeInTheEnd(tried);
    if (isHeard) metrics?.deliveryAcknowledged(secondsSince(due, Date.now()));
  }

  /** What was heard would be told again if it could not be written, so the database is waited for. */
  async function writeInTheEnd(tried: DeliveryOutcomeRow): Promise<void> {
    const endMs = performance.now() + limits.laneSendMarginMs;
    for (;;) {
      try {
        return await write(tried);
      } catch (error) {
        if (!isOutage(error) || performance.now() > endMs) throw error;
        await sleep(outagePauseMs);
      }
    }
  }

  async function appear(): Promise<void> {
    while (!presence && !closing.signal.aborted) {
      try {
        const onNotice = (text: string) => readWakeUp(text).forEach(look);
        presence = await acquireWorkerLock(db, {
          onLost: vanish,
          channel: wakeUpChannel,
          onNotice,
        });
      } catch (error) {
        fault(error);
        await sleep(outagePauseMs);
      }
    }
    if (closing.signal.aborted) await presence?.close();
    finder.wake();
  }

  /** The others may take our lanes from now on. */
  function vanish(): void {
    presence = undefined;
    for (const lane of lanes.values()) lane.stop();
    appearing = appear();
  }

  function fault(error: unknown): void {
    log.warn({ err: error }, "events: will try again");
  }

  async function find(): Promise<void> {
    if (!presence) return;
    const nowMs = performance.now();
    for (const [id, untilMs] of quietUntilMs) if (untilMs <= nowMs) quietUntilMs.delete(id);
    for (const id of await findFreeLanes(db, presence.number)) {
      if (!quietUntilMs.has(id) && !lanes.has(id)) look(id);
    }
    for (const id of await advanceRecoveries(db)) hint(id, true);
  }

  async function watch(): Promise<void> {
    if (!presence) return;
    for (const id of await releaseLanesOfLostWorkers(db, presence)) look(id);
  }

  async function renew(): Promise<void> {
    if (!presence || lanes.size === 0) return;
    const asked = [...lanes];
    const ours = await renewLanes(
      presence,
      asked.map(([id]) => id),
    );
    for (const [id, lane] of asked) {
      if (ours.has(id)) lane.renewed();
      else lane.stop();
    }
  }

  async function restOld(): Promise<void> {
    const rested = await abandonOldDeliveries(db);
    if (rested > 0) metrics?.deliveryAtRest(rested);
  }

  metrics?.collectDelivery(async (): Promise<DeliveryState> => {
    const state = await findDeliveryState(db);
    const [hour = 0, day = 0, week = 0] = state?.failing ?? [];
    const oldest = state?.oldest_age_ms ?? undefined;
    return {
      oldestAgeSeconds: oldest === undefined ? undefined : Number(oldest) / 1000,
      lanes: { owned: lanes.size, open: state?.open ?? 0, disabled: state?.disabled ?? 0 },
      failing: { "1h": hour, "24h": day, "7d": week },
    };
  });

  const lookout = (look: () => Promise<void>, everyMs: number) =>
    startPoller({ look, everyMs, onError: fault });
  const finder = lookout(find, limits.laneLookMs);
  const lookouts = [
    finder,
    lookout(watch, limits.laneWatchMs),
    lookout(renew, limits.laneRenewMs),
    lookout(restOld, limits.housekeepingMs),
    lookout(tidyUp, limits.partitionsKeptMs),
  ];
  let appearing = appear();

  return {
    hint: (subaccountId) => hint(subaccountId, true),
    async close() {
      closing.abort();
      await Promise.all(lookouts.map((each) => each.close()));
      // What it still brings has to be left in order, too.
      await claiming;
      for (const lane of lanes.values()) lane.stop();
      await Promise.all([...lanes.values()].map(({ ended }) => ended));
      await appearing;
      await presence?.close();
      notices.close();
    },
  };
}

/** Since it was committed or, later, asked for again. */
function secondsSince({ since_ms }: DueDelivery, nowMs: number): number {
  return Math.max(0, nowMs - Number(since_ms)) / 1000;
}
