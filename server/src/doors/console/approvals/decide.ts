// A user approves or declines a payout.

import {
  approvePayout,
  declinePayout,
  type GivenApproval,
  type PayoutKey,
  type PayoutParts,
  type PayoutToDecide,
  type Stage,
} from "../../../money/payouts/index.ts";
import { toNumber } from "../../../platform/base/index.ts";
import { type Actor, type AuditNote, audited } from "../../../tenants/audit/index.ts";
import type { Role } from "../../../tenants/roles/index.ts";
import type { WriteParts } from "../write-parts.ts";

export type DecideParts = Pick<PayoutParts, "rails" | "onDue"> & WriteParts;

/** Returns the stage of the payout: it still waits where it needs more approvals. */
export async function approve(
  { db, seal, clock, rails, onDue }: DecideParts,
  { actor, role }: { actor: Actor; role: Role },
  key: PayoutKey,
): Promise<Stage> {
  const { isApproved } = await audited({ db, seal }, actor).transaction<GivenApproval>(
    ({ payout, isApproved }) =>
      payoutDecisionEntry("payout.approve", payout, isApproved ? {} : { needs_more: true }),
    (tx) => approvePayout(tx, key, { who: actor.who, role, atMs: clock(), rails }),
  );
  if (!isApproved) return "awaiting_approval";
  onDue?.();
  return "queued";
}

export async function decline(
  { db, seal, clock }: DecideParts,
  actor: Actor,
  key: PayoutKey,
  reason: string,
): Promise<void> {
  await audited({ db, seal }, actor).transaction<PayoutToDecide>(
    (payout) => payoutDecisionEntry("payout.decline", payout, { reason }),
    (tx) => declinePayout(tx, key, { who: actor.who, atMs: clock(), reason }),
  );
}

/** The entry of the audit log. */
export function payoutDecisionEntry(
  action: string,
  payout: PayoutToDecide,
  more: object = {},
): AuditNote {
  const { id, amount, currency, created_by: made_by } = payout;
  const after = { amount: toNumber(BigInt(amount)), currency, made_by, ...more };
  return { action, object: { kind: "payout", id }, after };
}
