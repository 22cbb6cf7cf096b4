// Previews a payout for the review in its form.

import { type PayoutRequest, previewPayout } from "../../../money/payouts/index.ts";
import type { RailDirectory } from "../../../money/rails/index.ts";
import { type Caller, toNumber } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { PayoutPreview } from "./schema.ts";

/** Refused as its creation would be, with all problems, except that the form asks about a duplicate by itself. */
export async function previewForReview(
  parts: { db: Runner; rails: RailDirectory },
  caller: Caller,
  request: PayoutRequest,
): Promise<PayoutPreview> {
  const previewed = await previewPayout(parts, caller, { ...request, allowDuplicate: true });
  const { problems, charge, approval, schedule, needsApproval, needsReview } = previewed;
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest]);
  return {
    fee: toNumber(charge?.fee ?? 0n),
    sent_amount: toNumber(charge?.sentAmount ?? request.amount),
    process_date: schedule?.processDate ?? "",
    expected_arrival: schedule?.expectedArrival ?? "",
    needs_approval: needsApproval,
    needs_review: needsReview,
    approval: approval.map(({ rule, above }) => ({
      rule,
      above: above === undefined ? null : Number(above),
    })),
  };
}
