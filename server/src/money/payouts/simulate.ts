// For test subaccounts: ends a payout as if the bank had reported its outcome now, by legal moves only.

import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { bankRailPrefix } from "../rails/index.ts";
import { lockPayout, type PayoutKey } from "./list-queries.ts";
import { toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { type MoveName, moves, type PayoutStatus, stages } from "./states.ts";

/** The moves to each outcome, by the stage of the payout. A queued payout is submitted first. */
const movesTo = {
  success: { queued: ["submit", "settle"], submitted: ["settle"] },
  fail: { queued: ["submit", "reject"], submitted: ["reject"] },
  return: { settled: ["return"] },
} as const satisfies Record<string, Record<string, readonly MoveName[]>>;

export type SimulatedOutcome = keyof typeof movesTo;

/** Undefined where the payout does not exist. */
export async function simulatePayout(
  tx: Tx,
  key: PayoutKey,
  {
    end,
    causeCode,
    ...by
  }: { end: SimulatedOutcome; causeCode: string; who: string; atMs: number },
): Promise<PayoutStatus | undefined> {
  const payout = await lockPayout(tx, key);
  if (!payout) return undefined;
  // It is or will be in a bank's file, whose answer would contradict what is simulated here.
  if (payout.rail.startsWith(bankRailPrefix)) throw new Refusal("TEST211");
  const steps: readonly MoveName[] =
    (movesTo[end] as Record<string, readonly MoveName[]>)[payout.stage] ?? [];
  const cause = end === "success" ? "" : `${end === "fail" ? "rejected" : "returned"} by a test`;
  let status: PayoutStatus = payout.status;
  for (const move of steps) {
    const reason = cause || "by a test";
    const request = { ...by, move, reason, cause, causeCode, providerReference: "test" };
    const moved = await movePayouts(tx, [
      toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, request),
    ]);
    if (!moved.has(payout.id)) throw new Refusal("PAYO302");
    status = stages[moves[move].to];
  }
  if (steps.length === 0) throw new Refusal("PAYO302");
  return status;
}
