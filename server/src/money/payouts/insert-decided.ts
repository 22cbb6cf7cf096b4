// Writes payouts that were accepted, with all that their decision left: reasons for approval, holds, rules, counts.

import type { Tx } from "../../platform/db/index.ts";
import { writeMetadata } from "../../platform/metadata/index.ts";
import { insertRequestedEvents, payoutOnHold } from "../../webhooks/events/index.ts";
import { insertLowBalanceEvents } from "../ledger/index.ts";
import { insertApprovalReasons } from "./approval-reason-queries.ts";
import type { Decisions } from "./decide.ts";
import { insertHolds } from "./hold-queries.ts";
import { insertPayouts, type PayoutToInsert } from "./queries.ts";
import { insertRuleMatches } from "./rule-match-queries.ts";
import { forgetOldCounts } from "./total-queries.ts";

/** Each statement runs only where there is something to write. */
export async function insertDecided(
  tx: Tx,
  {
    toInsert,
    approvals,
    holds,
    matches,
    lows,
    counts,
    dayTotals,
    day,
  }: Omit<Decisions, "outcomes">,
): Promise<void> {
  if (toInsert.length === 0) return;
  await insertPayouts(tx, toInsert, { day, counts, dayTotals });
  await writeMetadata(tx, "payout", toInsert.flatMap(toMetadata));
  await insertApprovalReasons(tx, toInsert, approvals);
  if (matches.length > 0) await insertRuleMatches(tx, matches);
  if (lows.length > 0) await insertLowBalanceEvents(tx, lows);
  if (counts) await forgetOldCounts(tx, counts.full);
  if (holds.length > 0) {
    await insertHolds(tx, holds, { who: "service", atMs: Date.now() });
    const held = new Set(holds.map(({ id }) => id));
    await insertRequestedEvents(tx, toInsert.filter(({ id }) => held.has(id)).map(toHoldEvent));
  }
}

function toMetadata({
  subaccount_id: subaccountId,
  id,
  event_id: eventId,
  metadata,
}: PayoutToInsert) {
  return metadata ? [{ subaccountId, id, eventId, metadata }] : [];
}

function toHoldEvent(row: PayoutToInsert) {
  const { subaccount_id: subaccountId, id, created_at_ms: atMs } = row;
  const event = payoutOnHold({
    subaccountId,
    payoutId: id,
    receiverId: row.receiver_id,
    accountId: row.account_id,
    amount: BigInt(row.amount),
    currency: row.currency,
    reference: row.reference,
    atMs,
  });
  return { ...event, subaccountId, orderKey: id, atMs };
}
