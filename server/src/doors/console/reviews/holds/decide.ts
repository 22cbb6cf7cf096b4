// A reviewer releases or refuses a payout on hold, in the version that was shown.

import {
  type EndedHold,
  lockPayoutToDecide,
  type PayoutKey,
  type PayoutParts,
  refusePayout,
  releasePayout,
} from "../../../../money/payouts/index.ts";
import { toNumber } from "../../../../platform/base/index.ts";
import type { Tx } from "../../../../platform/db/index.ts";
import { Refusal } from "../../../../platform/refusals/index.ts";
import { type AuditNote, audited, type UserActor } from "../../../../tenants/audit/index.ts";
import type { WriteParts } from "../../write-parts.ts";
import { deleteClaim, findClaim } from "../case-queries.ts";
import { holdVersionOf } from "./case.ts";
import { findHold } from "./queries.ts";

export type HoldParts = WriteParts & Pick<PayoutParts, "rails" | "onDue">;
export type HoldRuling = { action: "release" | "refuse"; version: string; reason: string };

export async function decideHold(
  { db, seal, clock, rails, onDue }: HoldParts,
  key: PayoutKey,
  { action, version, reason }: HoldRuling,
  actor: UserActor,
): Promise<EndedHold> {
  const ended = await audited({ db, seal }, actor).transaction<EndedHold>(
    (done) => holdEntry(action, done, reason),
    async (tx) => {
      const atMs = clock();
      const receiverId = await requireSeen(tx, key, version);
      await requireUnclaimed(tx, { subaccountId: key.subaccountId, id: receiverId }, actor, atMs);
      const ending = { who: actor.who, atMs, reason };
      if (action === "refuse") return refusePayout(tx, key, ending);
      return releasePayout(tx, key, { ...ending, rails });
    },
  );
  onDue?.();
  return ended;
}

export function holdEntry(
  action: HoldRuling["action"],
  { payout, stage }: EndedHold,
  reason: string,
): AuditNote {
  const { id, amount, currency, created_by: made_by } = payout;
  const after = { amount: toNumber(BigInt(amount)), currency, made_by, stage, reason };
  return { action: `payout.${action}`, object: { kind: "payout", id }, after };
}

/** Locks the payout, so that of two users who decide at once the second sees the decision of the first. */
async function requireSeen(tx: Tx, key: PayoutKey, version: string): Promise<string> {
  const payout = await lockPayoutToDecide(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage !== "on_hold") throw new Refusal("CONS508");
  const hold = await findHold(tx, key);
  if (!hold || holdVersionOf(payout, hold) !== version) throw new Refusal("CONS602");
  return payout.receiver_id;
}

/** No other user works on the receiver. The claim ends with the decision. */
export async function requireUnclaimed(
  tx: Tx,
  receiver: { subaccountId: string; id: string },
  { userId }: UserActor,
  atMs: number,
): Promise<void> {
  const claim = await findClaim(tx, receiver, atMs);
  if (claim && claim.user_id !== userId) throw new Refusal("CONS601");
  await deleteClaim(tx, receiver, userId);
}
