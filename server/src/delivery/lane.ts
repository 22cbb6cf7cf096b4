// One lane while this process owns it: what is due goes out, in order for each payout and each receiver, several of
// them at once, until nothing is left or the endpoint turns out not to work.

import { limits } from "../limits.ts";
import type { Posted } from "./http-client/post.ts";
import type { ClaimedLane, DueDelivery, Release } from "./queries.ts";
import { decideRetry, failureScoreMax, type RetryDecision, stepMs } from "./retry.ts";

export type LaneParts = {
  /** What is due beyond what is taken already. */
  fetch(taken: readonly string[]): Promise<DueDelivery[]>;
  send(due: DueDelivery): Promise<SentDelivery>;
  /** Resolves when it is written. */
  acknowledge(due: DueDelivery, sent: SentDelivery, verdict: RetryDecision): Promise<void>;
  release(release: Omit<Release, "subaccountId" | "epoch">): Promise<void>;
  onFault(error: unknown): void;
};

export type SentDelivery = { attemptId: string; posted: Posted };

export type Lane = {
  /** There may be more than when it last looked. */
  more(): void;
  /** Starts nothing new. */
  stop(): void;
  /** The lease was extended, as of now. */
  renewed(): void;
  /** Resolves when nothing is under way and the lane has been left: whether there was more to do. */
  readonly ended: Promise<{ hasMore: boolean }>;
};

type Chain = { waiting: DueDelivery[]; isBlocked: boolean };

export function runLane(
  { backoff_level, failure_score: strikesBefore }: ClaimedLane,
  parts: LaneParts,
): Lane {
  const chains = new Map<string, Chain>();
  const ready: string[] = [];
  /** Chains that ended with a failure while something was fetched, which may not know of it. */
  const settled: string[] = [];
  /** Sent or to be sent, and not yet written: to be left out of what is fetched. */
  const taken = new Set<string>();
  let leaseEndsMs = performance.now() + limits.laneLeaseMs;
  let running = 0;
  let writing = 0;
  let isFetching = false;
  let mayHaveMore = true;
  let isStopped = false;
  let isTripped = false;
  let isGone = false;
  let isOver = false;
  let failure_score = strikesBefore;
  let hasSucceeded = false;
  /** Since it last succeeded. */
  let hasFailed = false;
  let pauseMs = 0;
  // One that did not work gets one to prove itself with.
  let width = backoff_level > 0 || failure_score > 0 ? 1 : limits.laneWidth;
  const end = Promise.withResolvers<{ hasMore: boolean }>();

  const isProbing = () => backoff_level > 0 && !hasSucceeded;
  const isDown = () => isGone || (hasFailed && (failure_score >= failureScoreMax || isProbing()));
  const mayStart = () =>
    !isStopped && !isTripped && leaseEndsMs - performance.now() > limits.laneSendMarginMs;

  function pump(): void {
    if (isOver) return;
    // What is sent and not yet written would be sent again after a crash: it counts as well, a little less.
    while (running < width && running + writing < 2 * width && ready.length > 0 && mayStart()) {
      void start(ready.shift() as string);
    }
    if (mayHaveMore && !isFetching && taken.size < limits.laneFetchMax / 2 && mayStart()) {
      void fetch();
    }
    if (running > 0 || writing > 0 || isFetching) return;
    // Those that were still under way may have shown that it works after all.
    if (isTripped && !isDown()) {
      isTripped = false;
      pump();
    } else if (!mayStart() || (ready.length === 0 && !mayHaveMore)) leave();
  }

  async function fetch(): Promise<void> {
    isFetching = true;
    mayHaveMore = false;
    try {
      const found = await parts.fetch([...taken]);
      if (found.length === limits.laneFetchMax) mayHaveMore = true;
      for (const due of found) add(due);
    } catch (error) {
      fail(error);
    }
    isFetching = false;
    for (const key of settled.splice(0)) chains.delete(key);
    pump();
  }

  function add(due: DueDelivery): void {
    const chain = chains.get(due.order_key);
    // Its predecessor has failed, which this may have been read before: from now on the database holds it back.
    if (chain?.isBlocked) return;
    taken.add(due.number);
    if (chain) {
      chain.waiting.push(due);
    } else {
      chains.set(due.order_key, { waiting: [due], isBlocked: false });
      ready.push(due.order_key);
    }
  }

  async function start(key: string): Promise<void> {
    const chain = chains.get(key) as Chain;
    const due = chain.waiting.shift() as DueDelivery;
    running += 1;
    try {
      const sent = await parts.send(due);
      const attempt = due.attempts + 1;
      const facts = { attempt, ageMs: Number(due.age_ms), nowMs: Date.now() };
      const verdict = decideRetry(sent.posted, facts, Math.random());
      note(verdict);
      void write(chain, key, due, sent, verdict);
      const isHeard = verdict.outcome === "delivered";
      if (!isHeard) chain.isBlocked = true;
      else if (chain.waiting.length > 0) ready.push(key);
      else chains.delete(key);
    } catch (error) {
      fail(error);
    }
    running -= 1;
    pump();
  }

  function note({ outcome, failure_score: more, againAfterMs = 0 }: RetryDecision): void {
    if (outcome === "delivered") {
      hasSucceeded = true;
      hasFailed = false;
      failure_score = 0;
      width = limits.laneWidth;
      return;
    }
    hasFailed = true;
    failure_score = Math.min(failure_score + more, failureScoreMax);
    if (outcome === "gone") isGone = true;
    if (outcome === "throttled") pauseMs = Math.max(pauseMs, againAfterMs);
    isTripped ||= isDown();
  }

  async function write(
    chain: Chain,
    key: string,
    due: DueDelivery,
    sent: SentDelivery,
    verdict: RetryDecision,
  ): Promise<void> {
    writing += 1;
    try {
      await parts.acknowledge(due, sent, verdict);
      taken.delete(due.number);
      if (chain.isBlocked && verdict.outcome !== "delivered") {
        for (const { number } of chain.waiting) taken.delete(number);
        if (isFetching) settled.push(key);
        else chains.delete(key);
        // Given up: what came after it need not wait any more.
        if (verdict.againAfterMs === undefined) mayHaveMore = true;
      }
    } catch (error) {
      fail(error);
    }
    writing -= 1;
    pump();
  }

  function fail(error: unknown): void {
    isStopped = true;
    parts.onFault(error);
  }

  function leave(): void {
    isOver = true;
    const isOpen = isDown();
    const openLevel = isOpen
      ? hasSucceeded
        ? 1
        : backoff_level + 1
      : hasSucceeded
        ? 0
        : backoff_level;
    // A little less than the events' own step, so that the first of them that is due is the next probe.
    const openMs = isOpen ? Math.max(0.8 * stepMs(openLevel), pauseMs) : 0;
    const seen = { hasSucceeded, hasFailed, isGone, failure_score };
    parts
      .release({ ...seen, openLevel, openMs: Math.round(openMs) })
      .catch(parts.onFault)
      .finally(() => end.resolve({ hasMore: mayHaveMore && !isOpen && !isStopped }));
  }

  pump();
  return {
    more() {
      mayHaveMore = true;
      pump();
    },
    stop() {
      isStopped = true;
      pump();
    },
    renewed() {
      leaseEndsMs = performance.now() + limits.laneLeaseMs;
    },
    ended: end.promise,
  };
}
