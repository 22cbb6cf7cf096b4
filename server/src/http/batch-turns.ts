// Payout batches are read one after the other for each subaccount: until its turn comes, a body stays the bytes that
// were sent, and uses no lock, connection or time of the event loop.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { turns } from "../db/turns.ts";
import { limits } from "../limits.ts";

export type BatchTurn = {
  /** Ends the turn when the work has ended, even if the caller has hung up before. */
  use<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Called after each part of the work. While others call, it waits as long as the part took: half the time is theirs. */
  pace(partMs: number): Promise<void>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Of a route with `rowsIn`. */
    batchTurn: BatchTurn;
  }
}

export type BatchTurns = {
  /** Refused where too many batches of the subaccount wait. */
  take(subaccountId: string, body: unknown, response: ServerResponse): Promise<BatchTurn>;
  /** For every call: who calls beside a batch. */
  noteCall(subaccountId: string): void;
};

export function batchTurns(): BatchTurns {
  const last = { subaccountId: "", atMs: Number.NEGATIVE_INFINITY };
  const lastOther = { ...last };

  function noteCall(subaccountId: string): void {
    if (subaccountId !== last.subaccountId) {
      Object.assign(lastOther, last);
      last.subaccountId = subaccountId;
    }
    last.atMs = performance.now();
  }

  function othersCall(subaccountId: string): boolean {
    const other = last.subaccountId === subaccountId ? lastOther : last;
    return performance.now() - other.atMs < limits.batchPaceMs;
  }

  const ofSubaccount = turns({
    atOnce: limits.payoutBatchesAtOnce,
    waitingMax: limits.payoutBatchesWaitingBytesMax,
  });
  const ofAll = turns({
    atOnce: limits.payoutBatchesOfAllAtOnce,
    waitingMax: Number.POSITIVE_INFINITY,
  });

  async function take(
    subaccountId: string,
    body: unknown,
    response: ServerResponse,
  ): Promise<BatchTurn> {
    const bytes = body instanceof Buffer ? body.length : 0;
    const endOwn = await ofSubaccount.take(subaccountId, bytes);
    const endShared = await ofAll.take("");
    let isUsed = false;
    const end = () => {
      endShared();
      endOwn();
    };
    // A request that is refused before its handler runs, or whose caller has gone.
    const endUnused = () => {
      if (!isUsed) end();
    };
    response.once("close", endUnused);
    if (response.destroyed || response.socket?.destroyed) endUnused();
    return {
      use(work) {
        isUsed = true;
        return work().finally(end);
      },
      async pace(partMs) {
        if (othersCall(subaccountId)) await sleep(partMs);
      },
    };
  }

  return { take, noteCall };
}
