// Approves or declines a payout that waits. An approved one is queued; the money of a declined one is available again.

import type { Tx } from "../db/connect.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { Refusal } from "../refusals/refusals.ts";
import { requireOtherUser } from "../users/four-eyes.ts";
import { lockPayoutToDecide, type PayoutToDecide } from "./approval-queries.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type MoveRequest, toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";

type ApprovalDecision = { who: string; atMs: number };

/**
 * The approving user must not have created the payout or changed its bank details. Returns the payout as it was before.
 */
export async function approvePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, rails }: ApprovalDecision & { rails: RailDirectory },
): Promise<PayoutToDecide> {
  const payout = await waitingPayout(tx, key);
  await requireOtherUser(tx, makersOf(payout), { who, atMs });
  const schedule = rails.findRail(payout.rail)?.schedule(atMs, payout.send_on) ?? { dueAtMs: atMs };
  await move(tx, key, payout, { move: "approve", who, atMs, reason: "approved", ...schedule });
  return payout;
}

/** Its creator may decline it too. Returns the payout as it was before. */
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

/** The actors who can't approve it: its creator, and the user who changed its bank details. */
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
  request: MoveRequest,
): Promise<void> {
  const moved = await movePayouts(tx, [
    toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, request),
  ]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
}
