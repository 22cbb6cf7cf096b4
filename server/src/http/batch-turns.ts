// Payout batches are read one after the other for each subaccount: until its turn comes, a body stays the bytes that
// were sent, and uses no lock, connection or time of the event loop.

import type { ServerResponse } from "node:http";
import { turns } from "../db/turns.ts";
import { limits } from "../limits.ts";

export type BatchTurn = {
  /** Ends the turn when the work has ended, even if the caller has hung up before. */
  use<Result>(work: () => Promise<Result>): Promise<Result>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Of a route with `rowsIn`. */
    batchTurn: BatchTurn;
  }
}

/** Refused where too many batches of the subaccount wait. */
export type TakeBatchTurn = (
  subaccountId: string,
  body: unknown,
  response: ServerResponse,
) => Promise<BatchTurn>;

export function batchTurns(): TakeBatchTurn {
  const ofSubaccount = turns({
    atOnce: limits.payoutBatchesAtOnce,
    waitingMax: limits.payoutBatchesWaitingBytesMax,
  });
  const ofAll = turns({
    atOnce: limits.payoutBatchesOfAllAtOnce,
    waitingMax: Number.POSITIVE_INFINITY,
  });

  return async (subaccountId, body, response) => {
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
    };
  };
}
