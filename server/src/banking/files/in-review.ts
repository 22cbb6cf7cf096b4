// A bank batch whose payouts wait for a review: its file must not leave until the review is decided.

import type { Runner } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { listReceiversInReview } from "./batch-queries.ts";

/** How many payouts of the batch wait for a review. */
export async function countInReview(db: Runner, batchId: string): Promise<number> {
  const receivers = await listReceiversInReview(db, batchId);
  return receivers.reduce((sum, { payouts }) => sum + payouts, 0);
}

/** In words, for users only. */
export function inReviewText(count: number): string {
  return count === 1
    ? "1 payout of the batch waits for a review"
    : `${count} payouts of the batch wait for a review`;
}

export async function requireNoReview(db: Runner, batchId: string): Promise<void> {
  const count = await countInReview(db, batchId);
  if (count > 0) throw new Refusal("BANK305", { message: inReviewText(count) });
}
