// The cursor of the review queue: the waiting time and the ids of the last case. Pure.

import { isUuid } from "../../platform/base/index.ts";

/** The last case of the queue, or the last decision. */
export type ReviewCursor = { sinceMs: number; subaccountId: string; id: string };

export function writeReviewCursor({ sinceMs, subaccountId, id }: ReviewCursor): string {
  return Buffer.from(`${sinceMs} ${subaccountId} ${id}`).toString("base64url");
}

export function readReviewCursor(cursor: string): ReviewCursor | undefined {
  const text = Buffer.from(cursor.slice(0, 200), "base64url").toString();
  const [since = "", subaccountId = "", id = "", ...rest] = text.split(" ");
  const isOne = /^\d{1,15}$/.test(since) && isUuid(subaccountId) && isUuid(id) && !rest.length;
  return isOne ? { sinceMs: Number(since), subaccountId, id } : undefined;
}
