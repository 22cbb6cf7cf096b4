// Decides about a payout that waits for a person: it goes on its way, or its money is available again.

import type { Tx } from "../db/connect.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { Refusal } from "../refusals/refusals.ts";
import { requireOtherUser } from "../users/four-eyes.ts";
import { lockPayoutToDecide, type PayoutToDecide } from "./approval-queries.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type MoveRequest, toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";

export type ApprovalDecision = { who: string; atMs: number };

/** Another person than the one who made it, or changed where it goes. The payout as it was. */
export async function approvePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, rails }: ApprovalDecision & { rails: RailDirectory },
): Promise<PayoutToDecide> {
  const payout = await waitingPayout(tx, key);
  await requireOtherUser(tx, makersOf(payout), { who, atMs });
  const rail = rails.findRail(payout.rail);
  const dueAtMs = atMs + (rail?.sendAfterMs ?? 0);
  await move(tx, key, payout, { move: "approve", who, atMs, reason: "approved", dueAtMs });
  return payout;
}

/** Also by whoever made it, who thinks better of it. The payout as it was. */
export async function declinePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, reason }: ApprovalDecision & { reason: string },
): Promise<PayoutToDecide> {
  const payout = await waitingPayout(tx, key);
  const cause = `declined: ${reason}`;
  await move(tx, key, payout, { move: "decline", who, atMs, reason: cause, cause });
  return payout;
}

/** Who can't approve it: its maker, and the one who changed the bank details that it goes to. */
export function makersOf({
  created_by,
  details_by,
}: Pick<PayoutToDecide, "created_by" | "details_by">): string[] {
  return details_by === null ? [created_by] : [created_by, details_by];
}

async function waitingPayout(tx: Tx, key: PayoutKey): Promise<PayoutToDecide> {
  const payout = await lockPayoutToDecide(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage === "awaiting_approval") return payout;
  throw new Refusal("CONS401", { message: `The payout is ${payout.stage}: nothing is to decide` });
}

async function move(
  tx: Tx,
  key: PayoutKey,
  payout: PayoutToDecide,
  wish: MoveRequest,
): Promise<void> {
  const moved = await movePayouts(tx, [
    toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, wish),
  ]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
}
