// Resolves a sent payout by hand, where the bank reports no outcome and a user has found it out.

import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { PayoutKey } from "./list-queries.ts";
import { toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { deleteResolution, lockPayoutToResolve, type PayoutToResolve } from "./resolve-queries.ts";
import { type Stage, stages } from "./states.ts";

export const resolutions = ["paid", "rejected"] as const;
/** `rejected` makes the money available again, so the bank must have said that it will not pay. */
export type Resolution = (typeof resolutions)[number];

type Resolving = { outcome: Resolution; reason: string; who: string; atMs: number };

/** Locks the payout. Refuses it where the worker or the bank may still end it by themselves. */
export async function lockResolvable(
  tx: Tx,
  key: PayoutKey,
  atMs: number,
): Promise<PayoutToResolve> {
  const payout = await lockPayoutToResolve(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  const isLate = Number(payout.updated_at_ms) <= atMs - limits.payoutLateMs;
  if (payout.stage !== "submitted" || !(payout.is_set_aside || isLate)) {
    throw new Refusal("CONS505", {
      message: `The payout is ${payout.stage}: it can't be resolved`,
    });
  }
  // A worker may be sending it now. Its lease says until when.
  const dueAtMs = payout.due_at_ms === null ? 0 : Number(payout.due_at_ms);
  if (dueAtMs > atMs && dueAtMs <= atMs + limits.railLeaseMs) throw new Refusal("CONS506");
  return payout;
}

export async function resolvePayout(
  tx: Tx,
  key: PayoutKey,
  { outcome, reason, who, atMs }: Resolving,
): Promise<{ stage: Stage; status: string }> {
  const payout = await lockResolvable(tx, key, atMs);
  const cause = outcome === "rejected" ? `resolved by hand: ${reason}` : "";
  const move = toPayoutMove(
    { ...payout, subaccount_id: key.subaccountId },
    {
      move: outcome === "paid" ? "settle" : "reject",
      who,
      atMs,
      cause,
      reason: `resolved by hand as ${outcome}: ${reason}`,
    },
  );
  const moved = await movePayouts(tx, [move]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
  await deleteResolution(tx, key);
  return { stage: move.toStage, status: stages[move.toStage] };
}
