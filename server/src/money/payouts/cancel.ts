// Cancels a payout that has not been sent: its money is available again.

import type { Tx } from "../../platform/db/index.ts";
import { idField, input } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { endHolds } from "./hold-queries.ts";
import { findPayouts, lockPayout, type PayoutKey, presentPayout } from "./list-queries.ts";
import { toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { MovedPayout, type Payout } from "./schema.ts";

/** The move of each stage in which a payout can be cancelled. */
const cancellingMoves = { on_hold: "refuse", awaiting_approval: "decline" } as const;

type Cancelling = { who: string; atMs: number; cause?: string };

/** Safe to repeat: a cancelled payout stays cancelled, with the same response. */
export async function cancelPayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, cause = "cancelled by the caller" }: Cancelling,
): Promise<Payout> {
  const payout = await lockPayout(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage === "cancelled") return presentPayout(payout);
  const name = cancellingMoves[payout.stage as keyof typeof cancellingMoves] ?? "cancel";
  const move = toPayoutMove(
    { ...payout, subaccount_id: key.subaccountId },
    { move: name, who, reason: cause, cause, atMs },
  );
  const moved = await movePayouts(tx, [move]);
  if (!moved.has(payout.id)) throw new Refusal("PAYO301");
  if (payout.stage === "on_hold") await endHolds(tx, [key], { decision: "cancelled", who, atMs });
  const [cancelled] = await findPayouts(tx, [key]);
  return presentPayout(cancelled ?? payout);
}

export const cancelPayoutAct = act({
  name: "payout.cancel",
  summary: "cancel a payout that has not been sent; its money becomes available again",
  object: "payout",
  may: "payouts.create",
  in: "subaccount",
  doors: ["api", "console", "cli"],
  input: input({ id: idField("CONS110") }),
  output: MovedPayout,
  async run({ tx, subaccount, who, atMs }, { id }) {
    const key = { subaccountId: subaccount.id, id };
    const payout = await lockPayout(tx, key);
    if (!payout) throw new Refusal("CONS110");
    const cancelling = { who, atMs, cause: "cancelled by an operator" };
    const { status, stage } = await cancelPayout(tx, key, cancelling);
    return {
      result: { payout_id: id, status, stage },
      id: stage === payout.stage ? undefined : id,
      before: { stage: payout.stage },
      after: { stage },
    };
  },
});
