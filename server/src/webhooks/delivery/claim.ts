// Claims lanes on which deliveries are due, and keeps their leases. A hint says that a lane may have new deliveries; a
// poll finds what no hint came for.

import { setImmediate as turn } from "node:timers/promises";
import { spanOf, traceStatement } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { endpointOfLane, ensureSecret, laneOf } from "../webhook-endpoints/index.ts";
import type { Lane } from "./lane.ts";
import type { ClaimedLane, ClaimResult, LaneQueries } from "./queries.ts";
import { tracesOfDelivery } from "./record.ts";
import type { ServeLane } from "./serve.ts";
import { UnreadableWebhookSecret } from "./signing-keys.ts";
import type { WakeUps } from "./wake-ups.ts";
import type { WorkerLock } from "./worker-lock.ts";

type ClaimParts = {
  db: Db;
  queries: LaneQueries;
  seal: Seal;
  serve: ServeLane;
  wakeUps: WakeUps;
  /** Undefined while the connection that holds the lock is down: nothing is claimed then. */
  lock(): WorkerLock | undefined;
  /** Aborted: nothing more is claimed. */
  closing: AbortSignal;
  metrics?: Metrics | undefined;
  /** Advances the recoveries of these lanes. Returns the lanes that have new deliveries. */
  recover(db: Db): Promise<string[]>;
  /** Called once for each secret, not with each attempt to read it. */
  onUnreadableSecret(lane: string): void;
  onError(error: unknown): void;
};

type LaneClaims = {
  lanesOwned(): number;
  /** New deliveries that only this process knows of: if another one owns the lane, it is woken. */
  hintLocal(lane: string): void;
  /** New deliveries that other processes know of as well. Not passed on, or the hint would circulate. */
  hintShared(lane: string): void;
  /** Wakes the lanes of a subaccount that this process owns. */
  wakeOwned(subaccountId: string): void;
  /** Looks for free lanes with due deliveries. */
  find(): Promise<void>;
  renew(): Promise<void>;
  stopLanes(): void;
  /** Resolves when every lane has been released. */
  close(): Promise<void>;
};

export function laneClaims({
  db,
  queries,
  seal,
  serve,
  recover,
  wakeUps,
  lock,
  closing,
  metrics,
  onUnreadableSecret,
  onError,
}: ClaimParts): LaneClaims {
  const lanes = new Map<string, Lane>();
  /** Lanes to claim; true: only this process knows of their new deliveries. */
  const hints = new Map<string, boolean>();
  /** Lanes on which nothing could be sent, and until when the poll skips them. */
  const quietUntilMs = new Map<string, number>();
  let claiming: Promise<void> | undefined;
  const span = spanOf<ClaimResult>(db, "lanes-claim", ({ lanes }) =>
    lanes.flatMap(tracesOfDelivery),
  );

  function hint(id: string, isLocal: boolean): void {
    const lane = lanes.get(id);
    if (lane) {
      lane.wake();
      return;
    }
    hints.set(id, isLocal || hints.get(id) === true);
    // At the end of this turn of the event loop, so that hints that came together share one statement.
    claiming ??= turn().then(claim);
  }

  const hintShared = (id: string) => hint(id, false);

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
    const free = [...hinted.keys()].filter((id) => !lanes.has(id));
    if (free.length === 0) return;
    const startMs = performance.now();
    const claimed = await claimTogether(held.number, free);
    metrics?.deliveryClaim((performance.now() - startMs) / 1000);
    for (const id of claimed.heldElsewhere) {
      if (hinted.get(id)) wakeUps.add(endpointOfLane(id).subaccountId);
    }
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
  async function waitForSecret(claimed: ClaimedLane): Promise<void> {
    const lane = laneOf(claimed);
    if (await queries.releaseUnsignedLane(db, lane, claimed.epoch)) onUnreadableSecret(lane);
  }

  async function claimTogether(owner: number, free: string[]): Promise<ClaimResult> {
    const run = () => queries.claimLanes(db, { owner, lanes: free });
    if (!span) return run();
    const calls = free.map(() => ({}));
    const [claimed] = await traceStatement(span, calls, async () => [await run()]);
    return claimed as ClaimResult;
  }

  /** The endpoint was set up before endpoints had secrets. It gets one, and its lane is claimed again. */
  async function addSecret(claimed: ClaimedLane): Promise<void> {
    const id = laneOf(claimed);
    await db.transaction((tx) => ensureSecret({ tx, seal }, endpointOfLane(id), Date.now()));
    hints.set(id, false);
  }

  function run(claimed: ClaimedLane): void {
    const id = laneOf(claimed);
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
    hintLocal: (id) => hint(id, true),
    hintShared,

    wakeOwned(subaccountId) {
      for (const [id, lane] of lanes) if (id.startsWith(subaccountId)) lane.wake();
    },

    async find() {
      const held = lock();
      if (!held) return;
      const nowMs = performance.now();
      for (const [id, untilMs] of quietUntilMs) if (untilMs <= nowMs) quietUntilMs.delete(id);
      for (const id of await queries.findFreeLanes(db, held.number)) {
        if (!quietUntilMs.has(id) && !lanes.has(id)) hintShared(id);
      }
      for (const id of await recover(db)) hint(id, true);
    },

    async renew() {
      const held = lock();
      if (!held || lanes.size === 0) return;
      const renewing = [...lanes];
      const ids = renewing.map(([id]) => id);
      const renewed = await queries.renewLanes(held, ids);
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
