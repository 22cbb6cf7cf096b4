// One lane while this process owns it: fetches due deliveries, sends them, records the outcomes. Events of one payout,
// receiver or account go one after the other; several of these go at once.
//
// A lane is in one mode at a time. `laneTransitions` is the table of its moves:
//
//   sending      fetches and sends
//   breakerOpen  the webhook endpoint is down: starts nothing, waits for running attempts
//   stopping     the worker closes, the lane was lost or a statement failed: starts nothing, waits likewise
//   releasing    gives the lane back; the worker claims it again if more may be due
//   ending       gives the lane back and does not ask for it again
//
//   sending      --trip-->    breakerOpen   a failure shows that the endpoint is down
//   breakerOpen  --reset-->   sending       an attempt that was still running has succeeded
//   sending      --release--> releasing     nothing is left to send, or the lease is about to end
//   breakerOpen, stopping --release--> ending
//   sending, breakerOpen  --stop-->    stopping
//   releasing    --stop-->    ending

import { limits } from "../../platform/limits/index.ts";
import type { Posted } from "../http-client/index.ts";
import type { Release } from "./outcome-queries.ts";
import type { ClaimedLane, DueDelivery } from "./queries.ts";
import {
  applyDecision,
  backoffOf,
  decideRetry,
  type EndpointHealth,
  isEndpointDown,
  type RetryDecision,
} from "./retry.ts";

export type LaneMode = "sending" | "breakerOpen" | "stopping" | "releasing" | "ending";
type LaneMove = "trip" | "reset" | "stop" | "release";

/** A move that a mode does not list changes nothing. */
export const laneTransitions: Record<LaneMode, Partial<Record<LaneMove, LaneMode>>> = {
  sending: { trip: "breakerOpen", stop: "stopping", release: "releasing" },
  breakerOpen: { reset: "sending", stop: "stopping", release: "ending" },
  stopping: { release: "ending" },
  releasing: { stop: "ending" },
  ending: {},
};

type LaneParts = {
  /** The deliveries that are due, without those in `taken`. */
  fetch(taken: readonly string[]): Promise<DueDelivery[]>;
  send(due: DueDelivery): Promise<SentDelivery>;
  /** Resolves when the outcome is committed. */
  record(due: DueDelivery, sent: SentDelivery, decision: RetryDecision): Promise<void>;
  release(release: Omit<Release, "lane" | "epoch">): Promise<void>;
  onError(error: unknown): void;
};

export type SentDelivery = { attemptId: string; posted: Posted };

export type Lane = {
  /** More may be due than at the last fetch. */
  wake(): void;
  /** Starts nothing new. */
  stop(): void;
  /** The lease was extended, as of now. */
  renewed(): void;
  /** Resolves when the lane has been released. */
  readonly ended: Promise<LaneEnd>;
};

type LaneEnd = { hasMore: boolean; sends: number };

export function runLane(
  { backoff_level: backoffLevel, failure_score: failureScore }: ClaimedLane,
  parts: LaneParts,
): Lane {
  let mode: LaneMode = "sending";
  const queue = orderedQueue();
  const health: EndpointHealth = {
    backoffLevel,
    failureScore,
    hasSucceeded: false,
    hasFailed: false,
    isGone: false,
    pauseMs: 0,
  };
  let leaseEndsMs = performance.now() + limits.laneLeaseMs;
  let mayHaveMore = true;
  let isFetching = false;
  let inFlight = 0;
  let unrecorded = 0;
  let sends = 0;
  // An endpoint that failed before gets one event at a time until it succeeds.
  let width = backoffLevel > 0 || failureScore > 0 ? 1 : limits.laneWidth;
  const end = Promise.withResolvers<LaneEnd>();

  function move(name: LaneMove): void {
    mode = laneTransitions[mode][name] ?? mode;
  }

  const mayStart = () =>
    mode === "sending" && leaseEndsMs - performance.now() > limits.laneSendMarginMs;

  /** Starts what may start, and releases the lane when there is nothing left to do. Runs after every change. */
  function pump(): void {
    if (mode === "releasing" || mode === "ending") return;
    // After a crash, events that were sent and not recorded are sent again, so their number is limited, too.
    while (
      inFlight < width &&
      inFlight + unrecorded < 2 * width &&
      queue.hasReady() &&
      mayStart()
    ) {
      void send(queue.next());
    }
    if (mayHaveMore && !isFetching && queue.taken.size < limits.laneFetchMax / 2 && mayStart()) {
      void fetch();
    }
    if (inFlight > 0 || unrecorded > 0 || isFetching) return;
    if (mode === "breakerOpen" && !isEndpointDown(health)) {
      move("reset");
      pump();
    } else if (!mayStart() || (!queue.hasReady() && !mayHaveMore)) release();
  }

  async function fetch(): Promise<void> {
    isFetching = true;
    mayHaveMore = false;
    try {
      const found = await parts.fetch([...queue.taken]);
      if (found.length === limits.laneFetchMax) mayHaveMore = true;
      for (const due of found) queue.add(due);
    } catch (error) {
      fail(error);
    }
    isFetching = false;
    queue.forgetFailed();
    pump();
  }

  async function send(chain: Chain): Promise<void> {
    const due = chain.waiting.shift() as DueDelivery;
    inFlight += 1;
    sends += 1;
    try {
      const sent = await parts.send(due);
      const attempt = due.attempts + 1;
      const facts = { attempt, ageMs: Number(due.age_ms), nowMs: Date.now() };
      const decision = decideRetry(sent.posted, facts, Math.random());
      const isDelivered = decision.result === "delivered";
      applyDecision(health, decision);
      if (isDelivered) width = limits.laneWidth;
      else if (isEndpointDown(health)) move("trip");
      void record(chain, due, sent, decision);
      if (isDelivered) queue.advance(chain);
      else chain.isBlocked = true;
    } catch (error) {
      fail(error);
    }
    inFlight -= 1;
    pump();
  }

  async function record(
    chain: Chain,
    due: DueDelivery,
    sent: SentDelivery,
    decision: RetryDecision,
  ): Promise<void> {
    unrecorded += 1;
    try {
      await parts.record(due, sent, decision);
      queue.taken.delete(due.number);
      if (chain.isBlocked && decision.result !== "delivered") {
        queue.remove(chain, isFetching);
        // The events after an abandoned one no longer wait for it.
        if (decision.result === "abandoned") mayHaveMore = true;
      }
    } catch (error) {
      fail(error);
    }
    unrecorded -= 1;
    pump();
  }

  function fail(error: unknown): void {
    move("stop");
    parts.onError(error);
  }

  function release(): void {
    move("release");
    const { hasSucceeded, hasFailed, isGone, failureScore } = health;
    parts
      .release({ hasSucceeded, hasFailed, isGone, failureScore, ...backoffOf(health) })
      .catch(parts.onError)
      .finally(() => end.resolve({ hasMore: mode === "releasing" && mayHaveMore, sends }));
  }

  pump();
  return {
    wake() {
      mayHaveMore = true;
      pump();
    },
    stop() {
      move("stop");
      pump();
    },
    renewed() {
      leaseEndsMs = performance.now() + limits.laneLeaseMs;
    },
    ended: end.promise,
  };
}

/** The fetched events of one payout, receiver or account. Blocked: one of them failed, so the next may not pass it. */
type Chain = { key: string; waiting: DueDelivery[]; isBlocked: boolean };

/** Deliveries in memory, kept in order within each chain. */
function orderedQueue() {
  const chains = new Map<string, Chain>();
  /** Chains whose next delivery may be sent. */
  const ready: Chain[] = [];
  /** Chains whose failure was recorded during a fetch: that fetch may have read the time before. */
  const failed: Chain[] = [];
  /** Numbers of deliveries that are not yet recorded: the next fetch leaves them out. */
  const taken = new Set<string>();

  return {
    taken,
    hasReady: () => ready.length > 0,
    next: () => ready.shift() as Chain,

    add(due: DueDelivery): void {
      let chain = chains.get(due.order_key);
      // Read before the failure of an earlier event was recorded. From now on the database holds it back.
      if (chain?.isBlocked) return;
      taken.add(due.number);
      if (chain) {
        chain.waiting.push(due);
        return;
      }
      chain = { key: due.order_key, waiting: [due], isBlocked: false };
      chains.set(chain.key, chain);
      ready.push(chain);
    },

    /** The delivery that was sent succeeded: the next one of its chain may go. */
    advance(chain: Chain): void {
      if (chain.waiting.length > 0) ready.push(chain);
      else chains.delete(chain.key);
    },

    /** The failure of a chain is recorded: what waits behind it will be fetched again when it is due. */
    remove(chain: Chain, isFetching: boolean): void {
      for (const { number } of chain.waiting) taken.delete(number);
      if (isFetching) failed.push(chain);
      else chains.delete(chain.key);
    },

    forgetFailed(): void {
      for (const { key } of failed.splice(0)) chains.delete(key);
    },
  };
}
