// Calls that can't share a statement now, because a lock of their subaccount is taken: by a large payout batch, or by
// another process. Each subaccount waits in a lane of its own and tries again. Nobody else waits with it.

import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../limits.ts";
import { tooManyWrites, turns } from "./turns.ts";

export type Waiting<Call, Answer> = {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

type Lane<Call, Answer> = {
  calls: (Waiting<Call, Answer> & { sinceMs: number })[];
  isRunning: boolean;
  /** How many want it to exist, even without calls. */
  kept: number;
};

export type ApartParts<Call, Answer> = {
  subaccountOf: (call: Call) => string;
  sizeMax: number;
  /** True: the lock was not free, and nobody has been answered. */
  attempt: (waiting: Waiting<Call, Answer>[]) => Promise<boolean>;
};

export function apartLanes<Call, Answer>({
  subaccountOf,
  sizeMax,
  attempt,
}: ApartParts<Call, Answer>) {
  const lanes = new Map<string, Lane<Call, Answer>>();
  const attempts = turns({ atOnce: limits.apartAtOnce, waitingMax: Number.POSITIVE_INFINITY });

  function laneOf(subaccountId: string): Lane<Call, Answer> {
    let lane = lanes.get(subaccountId);
    if (!lane) {
      lane = { calls: [], isRunning: false, kept: 0 };
      lanes.set(subaccountId, lane);
    }
    return lane;
  }

  function leave(subaccountId: string, lane: Lane<Call, Answer>): void {
    if (lane.kept === 0 && !lane.isRunning) lanes.delete(subaccountId);
  }

  async function run(subaccountId: string, lane: Lane<Call, Answer>): Promise<void> {
    lane.isRunning = true;
    while (lane.calls.length > 0) {
      const taken = lane.calls.splice(0, sizeMax);
      // Of all lanes a few try at once: what waits for a lock may not use up the connections.
      const end = await attempts.take("");
      const isLocked = await attempt(taken).finally(end);
      if (!isLocked) continue;
      const nowMs = performance.now();
      const isLate = ({ sinceMs }: { sinceMs: number }) => nowMs - sinceMs > limits.apartMaxMs;
      for (const { reject } of taken.filter(isLate)) reject(tooManyWrites());
      lane.calls.unshift(...taken.filter((one) => !isLate(one)));
      await sleep(limits.apartPauseMs);
    }
    lane.isRunning = false;
    leave(subaccountId, lane);
  }

  return {
    has: (call: Call) => lanes.has(subaccountOf(call)),
    add(waiting: readonly Waiting<Call, Answer>[]): void {
      for (const one of waiting) {
        const subaccountId = subaccountOf(one.call);
        const lane = laneOf(subaccountId);
        if (lane.calls.length >= limits.apartWaitingMax) {
          one.reject(tooManyWrites());
          continue;
        }
        lane.calls.push({ ...one, sinceMs: performance.now() });
        // At the end of this turn, so that calls which come together go together.
        if (!lane.isRunning) {
          lane.isRunning = true;
          setImmediate(run, subaccountId, lane);
        }
      }
    },
    keep(subaccountId: string): () => void {
      const lane = laneOf(subaccountId);
      lane.kept += 1;
      return () => {
        lane.kept -= 1;
        leave(subaccountId, lane);
      };
    },
  };
}
