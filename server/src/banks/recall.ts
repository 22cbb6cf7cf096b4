// Recall requests: we ask a bank for a payment that it has already. The answer is recorded. Money moves only when the
// bank returns the payment, as any return.

import type { Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import type { Stage } from "../payouts/states.ts";
import { type Code, Refusal } from "../refusals/refusals.ts";
import { findSentByPayout, type LockedPayout, lockPayouts } from "./inbound-queries.ts";
import {
  insertRecall,
  isRecallWaiting,
  type RecallOutcome,
  type RecallRow,
  setRecallOutcome,
} from "./recall-queries.ts";

type Recalling = { payoutId: string; note: string; who: string; atMs: number };

const recallable: ReadonlySet<Stage> = new Set(["submitted", "settled"]);

export async function requestRecall(tx: Tx, recalling: Recalling): Promise<RecallRow> {
  const { payout, connectionId } = await lockSent(tx, recalling.payoutId);
  if (!recallable.has(payout.stage)) throw new Refusal("BANK432");
  try {
    return await insertRecall(tx, {
      subaccount_id: payout.subaccount_id,
      payout_id: payout.id,
      id: newId(),
      connection_id: connectionId,
      note: recalling.note,
      requested_at_ms: recalling.atMs,
      requested_by: recalling.who,
    });
  } catch (error) {
    throw isRecallWaiting(error) ? new Refusal("BANK433") : error;
  }
}

export async function recordRecallOutcome(
  tx: Tx,
  { payoutId, note, who, atMs, outcome }: Recalling & { outcome: RecallOutcome },
): Promise<RecallRow> {
  const { payout } = await lockSent(tx, payoutId);
  const key = { subaccount_id: payout.subaccount_id, payout_id: payout.id };
  const row = await setRecallOutcome(tx, key, { outcome, note, who, atMs });
  if (!row) throw new Refusal("BANK434");
  return row;
}

async function lockSent(
  tx: Tx,
  payoutId: string,
): Promise<{ payout: LockedPayout; connectionId: string }> {
  const [sent] = await findSentByPayout(tx, [payoutId]);
  if (!sent) throw new Refusal("BANK431");
  const [payout] = await lockPayouts(tx, [sent]);
  return { payout: payout as LockedPayout, connectionId: sent.connection_id };
}

export const recallCodes = ["BANK431", "BANK432", "BANK433", "BANK434"] as const satisfies Code[];
