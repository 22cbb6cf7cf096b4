// A person decides about a payout at the console: one transaction, with the audit's entry in it.

import { recordAct } from "../../audit/record.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import { toNumber } from "../../money.ts";
import type { PayoutToDecide } from "../../payouts/approval-queries.ts";
import { approvePayout, declinePayout } from "../../payouts/approve.ts";
import type { PayoutParts } from "../../payouts/create.ts";
import type { PayoutKey } from "../../payouts/list-queries.ts";
import type { Seal } from "../../seal.ts";
import { type AuditedUser, actOf } from "../act.ts";

export type DecideParts = Pick<PayoutParts, "rails" | "onDue"> & {
  db: Db;
  seal: Seal;
  clock: Clock;
};

export async function approve(
  { db, seal, clock, rails, onDue }: DecideParts,
  doer: AuditedUser,
  key: PayoutKey,
): Promise<void> {
  await db.transaction(async (tx) => {
    const payout = await approvePayout(tx, key, { who: doer.who, atMs: clock(), rails });
    await recordAct({ tx, seal }, actOf(doer, deciding("payout.approve", payout)));
  });
  onDue?.();
}

export async function decline(
  { db, seal, clock }: DecideParts,
  doer: AuditedUser,
  key: PayoutKey,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const payout = await declinePayout(tx, key, { who: doer.who, atMs: clock(), reason });
    await recordAct({ tx, seal }, actOf(doer, deciding("payout.decline", payout, { reason })));
  });
}

function deciding(action: string, payout: PayoutToDecide, more: object = {}) {
  const { id, amount, currency, created_by: made_by } = payout;
  const after = { amount: toNumber(BigInt(amount)), currency, made_by, ...more };
  return { action, object: { kind: "payout", id }, after };
}
