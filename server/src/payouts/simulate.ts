// For test subaccounts: a payout ends as if the bank had said so now. Only by legal moves.

import type { Tx } from "../db/connect.ts";
import { Refusal } from "../refusals/refusals.ts";
import { lockPayout, type PayoutKey } from "./list-queries.ts";
import { toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { type MoveName, moves, type PayoutStatus, stages } from "./states.ts";

/** What a test may wish for. A payout that was not sent yet is sent on the way. */
const ways = {
  success: { queued: ["submit", "settle"], submitted: ["settle"] },
  fail: { queued: ["submit", "reject"], submitted: ["reject"] },
  return: { settled: ["return"] },
} as const satisfies Record<string, Record<string, readonly MoveName[]>>;

export type SimulatedOutcome = keyof typeof ways;

/** Undefined where there is no such payout. */
export async function simulatePayout(
  tx: Tx,
  key: PayoutKey,
  {
    end,
    causeCode,
    ...said
  }: { end: SimulatedOutcome; causeCode: string; who: string; atMs: number },
): Promise<PayoutStatus | undefined> {
  const payout = await lockPayout(tx, key);
  if (!payout) return undefined;
  const way: readonly MoveName[] =
    (ways[end] as Record<string, readonly MoveName[]>)[payout.stage] ?? [];
  const cause = end === "success" ? "" : `${end === "fail" ? "rejected" : "returned"} by a test`;
  let status: PayoutStatus = payout.status;
  for (const move of way) {
    const reason = cause || "by a test";
    const wish = { ...said, move, reason, cause, causeCode, providerReference: "test" };
    const moved = await movePayouts(tx, [
      toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, wish),
    ]);
    if (!moved.has(payout.id)) throw new Refusal("PAYO302");
    status = stages[moves[move].to];
  }
  if (way.length === 0) throw new Refusal("PAYO302");
  return status;
}
