// Two users at the console resolve a sent payout by hand: the first proposes an outcome, the second confirms the same one.

import {
  deleteResolution,
  findResolution,
  lockPayoutToResolve,
  lockResolvable,
  type PayoutKey,
  type Resolution,
  resolvePayout,
  saveResolution,
} from "../../../money/payouts/index.ts";
import { toNumber } from "../../../platform/base/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, type AuditNote, recordAct } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import type { WriteParts } from "../write-parts.ts";

type ResolutionCall = {
  outcome: Resolution;
  reason: string;
  /** Minor units, typed by the user to confirm that it is the right payout. */
  amount: number;
};

/** `proposed` until a second user confirms the same outcome. Another outcome is a new proposal. */
export async function resolveByHand(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  key: PayoutKey,
  { outcome, reason, amount }: ResolutionCall,
): Promise<{ state: "proposed" | "resolved"; stage: string }> {
  return db.transaction(async (tx) => {
    const atMs = clock();
    const payout = await lockResolvable(tx, key, atMs);
    if (toNumber(BigInt(payout.amount)) !== amount)
      throw new Refusal([problem("CONS507", "amount")]);
    const proposed = await findResolution(tx, key);
    const record = (action: string, after: object) => {
      return recordAct({ tx, seal }, actor, {
        action,
        object: { kind: "payout", id: key.id },
        before: { stage: payout.stage },
        after: { amount, currency: payout.currency, ...after },
      });
    };
    if (proposed?.outcome === outcome && proposed.proposed_by !== actor.who) {
      const { who } = actor;
      await requireOtherUser(tx, [proposed.proposed_by], { who });
      const { stage } = await resolvePayout(tx, key, { outcome, reason, who, atMs });
      await record("payout.resolve", { outcome, reason, stage, proposed_by: proposed.proposed_by });
      return { state: "resolved", stage };
    }
    if (proposed?.outcome === outcome) throw new Refusal("CONS402");
    await saveResolution(tx, key, { outcome, reason, proposed_by: actor.who, atMs });
    await record("payout.propose_resolution", { outcome, reason });
    return { state: "proposed", stage: payout.stage };
  });
}

/** Returns the audit entry. Undefined: it was decided, or proposed again since then. */
export async function expireResolution(
  tx: Tx,
  key: PayoutKey,
  proposedBeforeMs: number,
): Promise<AuditNote | undefined> {
  await lockPayoutToResolve(tx, key);
  const proposed = await findResolution(tx, key);
  if (!proposed || Number(proposed.proposed_at_ms) > proposedBeforeMs) return undefined;
  await deleteResolution(tx, key);
  const { outcome, proposed_by } = proposed;
  const object = { kind: "payout", id: key.id };
  return { action: "payout.expire_resolution", object, after: { outcome, proposed_by } };
}
