// The SQL of payouts on hold: the hold of one, and those of a receiver.

import type { ReceiverKey } from "../../people/receivers/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { detailsBySql, type HoldReason, type PayoutKey } from "../payouts/index.ts";

export type HoldRow = {
  id: string;
  since_ms: string;
  reasons: HoldReason[];
  decision: string | null;
  decided_by: string | null;
  decided_at_ms: string | null;
  decided_why: string;
};

const latestHold = statement<HoldRow>(
  "review-hold",
  `select id, since_ms, reasons, decision, decided_by, decided_at_ms, decided_why from payout_hold
   where subaccount_id = $1 and payout_id = $2 order by id desc limit 1`,
);

/** The hold of a payout that is on hold; otherwise the last one. */
export async function findHold(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<HoldRow | undefined> {
  return (await db.run(latestHold, [subaccountId, id]))[0];
}

export type HeldRow = {
  id: string;
  amount: string;
  currency: string;
  reference: string;
  created_by: string;
  details_by: string[];
  since_ms: string;
  reasons: HoldReason[];
};

const heldOf = statement<HeldRow>(
  "review-held-payouts",
  `select p.id, p.amount, p.currency, p.reference, p.created_by, ${detailsBySql} as details_by, h.since_ms, h.reasons
   from receiver_account a
   cross join lateral (
     select * from payout p where p.subaccount_id = $1 and p.account_id = a.id and p.status = 'pending'
       and p.stage = 'on_hold'
   ) p
   join payout_hold h on h.subaccount_id = p.subaccount_id and h.payout_id = p.id and h.decision is null
   where a.subaccount_id = $1 and a.receiver_id = $2 order by p.id limit ${limits.receiverShownMax}`,
);

/** The payouts of a receiver that are on hold, oldest first. */
export function listHeldPayouts(db: Runner, { subaccountId, id }: ReceiverKey): Promise<HeldRow[]> {
  return db.run(heldOf, [subaccountId, id]);
}
