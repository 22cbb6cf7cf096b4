// Recall requests: we ask a bank for a payment that it has already. The answer is recorded. Money moves only when the
// bank returns the payment, as any return.

import type { Stage } from "../../money/payouts/index.ts";
import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findSentByPayout, type LockedPayout, lockPayouts } from "./inbound-queries.ts";
import {
  insertRecall,
  isRecallWaiting,
  type RecallOutcome,
  type RecallRow,
  setRecallOutcome,
} from "./recall-queries.ts";

type Recalling = {
  /** Absent: any. */
  subaccountId?: string | undefined;
  payoutId: string;
  note: string;
  who: string;
  atMs: number;
};

const recallable: ReadonlySet<Stage> = new Set(["submitted", "settled"]);

/** Whether a payout of a bank file is at the bank. */
export function isAtBank(stage: Stage): boolean {
  return recallable.has(stage);
}

export async function requestRecall(tx: Tx, recalling: Recalling): Promise<RecallRow> {
  const { payout, connectionId } = await lockSent(tx, recalling);
  if (!isAtBank(payout.stage)) throw new Refusal("BANK432");
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
  { outcome, ...recalling }: Recalling & { outcome: RecallOutcome },
): Promise<RecallRow> {
  const { payout } = await lockSent(tx, recalling);
  const { note, who, atMs } = recalling;
  const key = { subaccount_id: payout.subaccount_id, payout_id: payout.id };
  const row = await setRecallOutcome(tx, key, { outcome, note, who, atMs });
  if (!row) throw new Refusal("BANK434");
  return row;
}

async function lockSent(
  tx: Tx,
  { payoutId, subaccountId }: Pick<Recalling, "payoutId" | "subaccountId">,
): Promise<{ payout: LockedPayout; connectionId: string }> {
  const found = await findSentByPayout(tx, [payoutId]);
  // It may have been in files before that were discarded.
  const sent = found.find(({ batch_status }) => batch_status !== "discarded") ?? found[0];
  if (!sent) throw new Refusal("BANK431");
  if (subaccountId !== undefined && sent.subaccount_id !== subaccountId) {
    throw new Refusal("BANK431");
  }
  const [payout] = await lockPayouts(tx, [sent]);
  return { payout: payout as LockedPayout, connectionId: sent.connection_id };
}
