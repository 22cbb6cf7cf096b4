// Payout batches of one subaccount are processed one after the other. While a batch waits, its body stays unparsed and
// uses no lock, connection or CPU time.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { turns } from "../batching/index.ts";
import { onlyProcess, type ProcessPlace, shareOf } from "../db/index.ts";
import { limits } from "../limits/index.ts";

export type BatchTurn = {
  /** Ends the turn when the work has ended, even if the caller has hung up before. */
  use<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Called after each part of the work. While other subaccounts call, it pauses as long as the part took. */
  pace(partMs: number): Promise<void>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set for routes with `rowsIn`. */
    batchTurn: BatchTurn;
  }
}

type BatchTurns = {
  /** Throws when too many batches of the subaccount wait. */
  take(subaccountId: string, body: unknown, response: ServerResponse): Promise<BatchTurn>;
  /** Called for every request, to know whether other subaccounts are active. */
  noteCall(subaccountId: string): void;
};

export function batchTurns(place: ProcessPlace = onlyProcess): BatchTurns {
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
    atOnce: shareOf(limits.payoutBatchesOfAllAtOnce, place),
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
    // For a request that is refused before its handler runs, or whose caller has disconnected.
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
