// The SQL of a payout on hold as a case: its creator.

import { detailsBySql, type PayoutKey } from "../../../../money/payouts/index.ts";
import { type Runner, statement } from "../../../../platform/db/index.ts";

const makersOfPayout = statement<{ created_by: string; details_by: string[] }>(
  "review-payout-makers",
  `select p.created_by, ${detailsBySql} as details_by from payout p where p.subaccount_id = $1 and p.id = $2`,
);

/** The creator of a payout, and the user who changed its bank details. */
export async function findPayoutMakers(db: Runner, { subaccountId, id }: PayoutKey) {
  return (await db.run(makersOfPayout, [subaccountId, id]))[0];
}
