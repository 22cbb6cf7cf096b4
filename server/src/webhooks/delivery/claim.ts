// Claims lanes on which deliveries are due, and keeps their leases. A hint says that a subaccount may have new
// deliveries; a poll finds what no hint came for.

import { setImmediate as turn } from "node:timers/promises";
import { spanOf, traceStatement } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { advanceRecoveries } from "../events/index.ts";
import { ensureSecret } from "../webhook-endpoints/index.ts";
import type { Lane } from "./lane.ts";
import {
  type ClaimedLane,
  type ClaimResult,
  claimLanes,
  findFreeLanes,
  releaseLanesOfLostWorkers,
  releaseUnsignedLane,
  renewLanes,
} from "./queries.ts";
import { tracesOfDelivery } from "./record.ts";
import type { ServeLane } from "./serve.ts";
import { UnreadableWebhookSecret } from "./signing-keys.ts";
import type { WakeUps } from "./wake-ups.ts";
import type { WorkerLock } from "./worker-lock.ts";

type ClaimParts = {
  db: Db;
  seal: Seal;
  serve: ServeLane;
  wakeUps: WakeUps;
  /** Undefined while the connection that holds the lock is down: nothing is claimed then. */
  lock(): WorkerLock | undefined;
  /** Aborted: nothing more is claimed. */
  closing: AbortSignal;
  metrics?: Metrics | undefined;
  /** Called once for each secret, not with each attempt to read it. */
  onUnreadableSecret(subaccountId: string): void;
  onError(error: unknown): void;
};

type LaneClaims = {
  lanesOwned(): number;
  /** New deliveries that only this process knows of: if another one owns the lane, it is woken. */
  hintLocal(subaccountId: string): void;
  /** New deliveries that other processes know of as well. Not passed on, or the hint would circulate. */
  hintShared(subaccountId: string): void;
  /** Looks for free lanes with due deliveries. */
  find(): Promise<void>;
  /** Frees the lanes of workers that have lost their lock, and claims them. */
  takeOver(): Promise<void>;
  renew(): Promise<void>;
  stopLanes(): void;
  /** Resolves when every lane has been released. */
  close(): Promise<void>;
};

export function laneClaims({
  db,
  seal,
  serve,
  wakeUps,
  lock,
  closing,
  metrics,
  onUnreadableSecret,
  onError,
}: ClaimParts): LaneClaims {
  const lanes = new Map<string, Lane>();
  /** Subaccounts to claim; true: only this process knows of their new deliveries. */
  const hints = new Map<string, boolean>();
  /** Lanes on which nothing could be sent, and until when the poll skips them. */
  const quietUntilMs = new Map<string, number>();
  let claiming: Promise<void> | undefined;
  const span = spanOf<ClaimResult>(db, "lanes-claim", ({ lanes }) =>
    lanes.flatMap(tracesOfDelivery),
  );

  function hint(subaccountId: string, isLocal: boolean): void {
    const lane = lanes.get(subaccountId);
    if (lane) {
      lane.wake();
      return;
    }
    hints.set(subaccountId, isLocal || hints.get(subaccountId) === true);
    // At the end of this turn of the event loop, so that hints that came together share one statement.
    claiming ??= turn().then(claim);
  }

  const hintShared = (subaccountId: string) => hint(subaccountId, false);

  async function claim(): Promise<void> {
    try {
      while (hints.size > 0 && lanes.size < limits.lanesMax && !closing.aborted) {
        const held = lock();
        if (!held) break;
        await claimSome(held);
      }
    } catch (error) {
      onError(error);
    } finally {
      claiming = undefined;
    }
  }

  async function claimSome(held: WorkerLock): Promise<void> {
    const hinted = new Map([...hints].slice(0, limits.lanesClaimedMax));
    for (const id of hinted.keys()) hints.delete(id);
    // Some may have become ours since the hint.
    for (const id of hinted.keys()) lanes.get(id)?.wake();
    const subaccountIds = [...hinted.keys()].filter((id) => !lanes.has(id));
    if (subaccountIds.length === 0) return;
    const startMs = performance.now();
    const claimed = await claimTogether(held.number, subaccountIds);
    metrics?.deliveryClaim((performance.now() - startMs) / 1000);
    for (const id of claimed.heldElsewhere) if (hinted.get(id)) wakeUps.add(id);
    // Claimed under a lock that is lost by now: other workers free these lanes.
    if (lock() !== held) return;
    for (const lane of claimed.lanes) {
      try {
        if (lane.secrets) run(lane);
        else await addSecret(lane);
      } catch (error) {
        // The other lanes of this claim still have to be served.
        if (error instanceof UnreadableWebhookSecret) await waitForSecret(lane);
        else onError(error);
      }
    }
  }

  /** Nothing of the lane is lost: its deliveries wait for a secret that can be decrypted. */
  async function waitForSecret({ subaccount_id, epoch }: ClaimedLane): Promise<void> {
    const isNew = await releaseUnsignedLane(db, { subaccountId: subaccount_id, epoch });
    if (isNew) onUnreadableSecret(subaccount_id);
  }

  async function claimTogether(owner: number, subaccountIds: string[]): Promise<ClaimResult> {
    const run = () => claimLanes(db, { owner, subaccountIds });
    if (!span) return run();
    const calls = subaccountIds.map(() => ({}));
    const [claimed] = await traceStatement(span, calls, async () => [await run()]);
    return claimed as ClaimResult;
  }

  /** The endpoint was set up before endpoints had secrets. It gets one, and its lane is claimed again. */
  async function addSecret({ subaccount_id }: ClaimedLane): Promise<void> {
    await db.transaction((tx) => ensureSecret({ tx, seal }, subaccount_id, Date.now()));
    hints.set(subaccount_id, false);
  }

  function run(claimed: ClaimedLane): void {
    const id = claimed.subaccount_id;
    const lane = serve(claimed);
    lanes.set(id, lane);
    void lane.ended.then(({ hasMore, sends }) => {
      lanes.delete(id);
      if (hasMore) hintShared(id);
      else if (sends === 0) quietUntilMs.set(id, performance.now() + limits.laneQuietMs);
    });
  }

  function stopLanes(): void {
    for (const lane of lanes.values()) lane.stop();
  }

  return {
    lanesOwned: () => lanes.size,
    hintLocal: (subaccountId) => hint(subaccountId, true),
    hintShared,

    async find() {
      const held = lock();
      if (!held) return;
      const nowMs = performance.now();
      for (const [id, untilMs] of quietUntilMs) if (untilMs <= nowMs) quietUntilMs.delete(id);
      for (const id of await findFreeLanes(db, held.number)) {
        if (!quietUntilMs.has(id) && !lanes.has(id)) hintShared(id);
      }
      for (const id of await advanceRecoveries(db)) hint(id, true);
    },

    async takeOver() {
      const held = lock();
      if (!held) return;
      for (const id of await releaseLanesOfLostWorkers(db, held)) hintShared(id);
    },

    async renew() {
      const held = lock();
      if (!held || lanes.size === 0) return;
      const renewing = [...lanes];
      const ids = renewing.map(([id]) => id);
      const renewed = await renewLanes(held, ids);
      for (const [id, lane] of renewing) {
        if (renewed.has(id)) lane.renewed();
        else lane.stop();
      }
    },

    stopLanes,

    async close() {
      // A running claim may still add lanes, which must be released as well.
      await claiming;
      stopLanes();
      await Promise.all([...lanes.values()].map(({ ended }) => ended));
    },
  };
}
