// A user approves or declines a payout.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import { toNumber } from "../../money.ts";
import type { PayoutToDecide } from "../../payouts/approval-queries.ts";
import { approvePayout, declinePayout } from "../../payouts/approve.ts";
import type { PayoutParts } from "../../payouts/create.ts";
import type { PayoutKey } from "../../payouts/list-queries.ts";
import type { WriteParts } from "../write-parts.ts";

export type DecideParts = Pick<PayoutParts, "rails" | "onDue"> & WriteParts;

export async function approve(
  { db, seal, clock, rails, onDue }: DecideParts,
  actor: Actor,
  key: PayoutKey,
): Promise<void> {
  await audited({ db, seal }, actor).transaction<PayoutToDecide>(
    (payout) => decisionEntry("payout.approve", payout),
    (tx) => approvePayout(tx, key, { who: actor.who, atMs: clock(), rails }),
  );
  onDue?.();
}

export async function decline(
  { db, seal, clock }: DecideParts,
  actor: Actor,
  key: PayoutKey,
  reason: string,
): Promise<void> {
  await audited({ db, seal }, actor).transaction<PayoutToDecide>(
    (payout) => decisionEntry("payout.decline", payout, { reason }),
    (tx) => declinePayout(tx, key, { who: actor.who, atMs: clock(), reason }),
  );
}

function decisionEntry(action: string, payout: PayoutToDecide, more: object = {}) {
  const { id, amount, currency, created_by: made_by } = payout;
  const after = { amount: toNumber(BigInt(amount)), currency, made_by, ...more };
  return { action, object: { kind: "payout", id }, after };
}
