// Where a page of the queue ended: the time since which its last case waits, and whose it is. Pure.

import { isUuid } from "../../ids.ts";

/** Of the queue, the last case; of what was decided, the last report. */
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
