// The SQL of a payout on hold as a case: its hold, and its creator.

import { detailsBySql, type HoldReason, type PayoutKey } from "../../../../money/payouts/index.ts";
import { type Runner, statement } from "../../../../platform/db/index.ts";

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

const makersOfPayout = statement<{ created_by: string; details_by: string[] }>(
  "review-payout-makers",
  `select p.created_by, ${detailsBySql} as details_by from payout p where p.subaccount_id = $1 and p.id = $2`,
);

/** The creator of a payout, and the user who changed its bank details. */
export async function findPayoutMakers(db: Runner, { subaccountId, id }: PayoutKey) {
  return (await db.run(makersOfPayout, [subaccountId, id]))[0];
}
