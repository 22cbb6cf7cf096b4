// Load that creates payouts: each request has its own reference, and is built before the clock runs.

import { randomUUID } from "node:crypto";
import { type Round, runLoad } from "./load.ts";
import { connectionsUnderLoad } from "./measure.ts";
import type { Payer } from "./payees.ts";
import { requestBuilder } from "./requests.ts";

const perSecondGuess = 6_000;

type Paying = { port: number; payers: readonly Payer[]; connections?: number };

export function paying({ port, payers, connections = connectionsUnderLoad }: Paying) {
  let perSecond = perSecondGuess;
  return async (durationMs: number): Promise<Round> => {
    const builders = payers.map(({ caller }) => requestBuilder(caller, 1));
    const count = Math.ceil((perSecond * 1.5 * durationMs) / 1000);
    const requests = Array.from({ length: count }, (_, index) => {
      const turn = index % payers.length;
      const { receiverId, accountId } = payers[turn] as Payer;
      const body = JSON.stringify({
        receiver_id: receiverId,
        account_id: accountId,
        amount: 100,
        currency: "AUD",
        reference: randomUUID(),
      });
      const build = builders[turn] as (typeof builders)[number];
      return build({ method: "POST", path: "/api/payout/single", body });
    });
    const round = await runLoad({ port, connections, durationMs, requests, repeat: false });
    perSecond = round.perSecond;
    return round;
  };
}
