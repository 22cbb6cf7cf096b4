// A page of the review queue, or of the decisions.

import { newestId } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { cutPage } from "../../db/page.ts";
import { limits } from "../../limits.ts";
import { pageSizeOf } from "../paging.ts";
import { codedStates, receiverNameOf } from "../receivers/present.ts";
import { readReviewCursor, writeReviewCursor } from "./cursor.ts";
import { countQueue, type DecidedRow, listDecided, listQueue, type QueueRow } from "./queries.ts";
import { urgencyOf } from "./review.ts";
import type { ReviewLine, ReviewsFilter, ReviewsPage, Tab } from "./schema.ts";

type Reviewer = {
  userId: string;
  /** The only subaccount that the user sees. Undefined: all. */
  subaccountId: string | undefined;
};

export async function readQueue(
  db: Runner,
  filter: ReviewsFilter,
  { userId, subaccountId: own }: Reviewer,
  nowMs: number,
): Promise<ReviewsPage> {
  const tab = (filter.tab ?? "all") as Tab;
  const after = filter.cursor === undefined ? undefined : readReviewCursor(filter.cursor);
  const limit = pageSizeOf(filter) + 1;
  const subaccountId = own ?? filter.subaccount_id?.toLowerCase();
  const found =
    tab === "decided"
      ? await listDecided(db, { subaccountId, beforeId: after?.id ?? newestId, limit }).then(
          (rows) => rows.map((row) => toDecidedLine(row)),
        )
      : await listQueue(db, { tab, userId, subaccountId, after, nowMs, limit }).then((rows) =>
          rows.map((row) => toLine(row, userId, nowMs)),
        );
  return cutPage(found, limit - 1, ({ since, subaccount, id }) =>
    writeReviewCursor({ sinceMs: since, subaccountId: subaccount.id, id }),
  );
}

export async function countReviews(db: Runner, { subaccountId }: Reviewer) {
  const count = await countQueue(db, subaccountId);
  const is_capped = count > limits.consoleCountedMax;
  return { count: is_capped ? limits.consoleCountedMax : count, is_capped };
}

function toLine(row: QueueRow, userId: string, nowMs: number): ReviewLine {
  const since = Number(row.since_ms);
  return {
    ...receiverOf(row),
    id: row.id,
    since,
    urgency: urgencyOf(since, nowMs),
    approvals: row.approvals,
    why: whyOf(row),
    claim:
      row.claim_who === null
        ? null
        : {
            who: row.claim_who,
            is_mine: row.claim_user_id === userId,
            until: Number(row.claim_until_ms),
          },
    decision: null,
  };
}

function toDecidedLine({ event_id, outcome, who, reason, ...row }: DecidedRow): ReviewLine {
  const at = Number(row.occurred_at_ms);
  return {
    ...receiverOf(row),
    id: event_id.replace(/^operator:/, ""),
    since: at,
    urgency: "fresh",
    why: "new",
    claim: null,
    approvals: 0,
    decision: { outcome, who, reason, at },
  };
}

function receiverOf(
  row: Omit<DecidedRow, "event_id" | "outcome" | "who" | "reason" | "occurred_at_ms">,
) {
  const { email, country } = row;
  return {
    subaccount: { id: row.subaccount_id, name: row.subaccount_name, mode: row.mode },
    receiver_id: row.id,
    name: receiverNameOf(row),
    email,
    country,
    ...codedStates(row),
    provider: row.kyc_provider,
  };
}

function whyOf({ kyc_needs_review, kyc_status, last_outcome }: QueueRow): ReviewLine["why"] {
  if (kyc_needs_review) return kyc_status === "failed" ? "approved_after_rejection" : "on_hold";
  return last_outcome === "retry" ? "asked_for_more" : "new";
}
