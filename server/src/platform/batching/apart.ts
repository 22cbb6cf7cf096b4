// Queues for calls that can't share a statement now, because a lock of their subaccount is taken by a large payout batch
// or another process. Each subaccount has its own queue and retries, so no other subaccount waits with it.

import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../limits/index.ts";
import type { TraceContext } from "../tracing/index.ts";
import { tooManyWrites, turns } from "./turns.ts";

export type Waiting<Call, Answer> = {
  call: Call;
  /** The span of the request. Only where tracing is on. */
  trace?: TraceContext | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

type Queue<Call, Answer> = {
  calls: (Waiting<Call, Answer> & { sinceMs: number })[];
  isRunning: boolean;
  /** Number of `keep` calls that have not ended: the queue stays while it is above zero. */
  kept: number;
};

type ApartParts<Call, Answer> = {
  subaccountOf: (call: Call) => string;
  sizeMax: number;
  /** Queues that try at once. */
  atOnce: number;
  /** True: the lock was not free, and no call has been answered. */
  attempt: (waiting: Waiting<Call, Answer>[]) => Promise<boolean>;
};

export function apartQueues<Call, Answer>({
  subaccountOf,
  sizeMax,
  atOnce,
  attempt,
}: ApartParts<Call, Answer>) {
  const queues = new Map<string, Queue<Call, Answer>>();
  const attempts = turns({ atOnce, waitingMax: Number.POSITIVE_INFINITY });

  function queueOf(subaccountId: string): Queue<Call, Answer> {
    let queue = queues.get(subaccountId);
    if (!queue) {
      queue = { calls: [], isRunning: false, kept: 0 };
      queues.set(subaccountId, queue);
    }
    return queue;
  }

  function leave(subaccountId: string, queue: Queue<Call, Answer>): void {
    if (queue.kept === 0 && !queue.isRunning) queues.delete(subaccountId);
  }

  async function run(subaccountId: string, queue: Queue<Call, Answer>): Promise<void> {
    queue.isRunning = true;
    while (queue.calls.length > 0) {
      const taken = queue.calls.splice(0, sizeMax);
      // Only a few queues try at once, so that waiting for locks does not use up the connections.
      const end = await attempts.take("");
      const isLocked = await attempt(taken).finally(end);
      if (!isLocked) continue;
      const nowMs = performance.now();
      const isLate = ({ sinceMs }: { sinceMs: number }) => nowMs - sinceMs > limits.apartMaxMs;
      for (const { reject } of taken.filter(isLate)) reject(tooManyWrites());
      queue.calls.unshift(...taken.filter((one) => !isLate(one)));
      await sleep(limits.apartPauseMs);
    }
    queue.isRunning = false;
    leave(subaccountId, queue);
  }

  return {
    has: (call: Call) => queues.has(subaccountOf(call)),
    add(waiting: readonly Waiting<Call, Answer>[]): void {
      for (const one of waiting) {
        const subaccountId = subaccountOf(one.call);
        const queue = queueOf(subaccountId);
        if (queue.calls.length >= limits.apartWaitingMax) {
          one.reject(tooManyWrites());
          continue;
        }
        queue.calls.push({ ...one, sinceMs: performance.now() });
        // At the end of this turn of the event loop, so that calls which arrive together share a statement.
        if (!queue.isRunning) {
          queue.isRunning = true;
          setImmediate(run, subaccountId, queue);
        }
      }
    },
    keep(subaccountId: string): () => void {
      const queue = queueOf(subaccountId);
      queue.kept += 1;
      return () => {
        queue.kept -= 1;
        leave(subaccountId, queue);
      };
    },
  };
}
