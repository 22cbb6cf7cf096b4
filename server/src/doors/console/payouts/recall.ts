// A user records that a bank was asked for a payment, and what it answered. No money moves: it comes back by a return.

import {
  type RecallOutcome,
  recordRecallOutcome,
  requestRecall,
} from "../../../banking/answers/index.ts";
import type { PayoutKey } from "../../../money/payouts/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";

export async function recallByUser(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { subaccountId, id: payoutId }: PayoutKey,
  { note, outcome }: { note: string; outcome?: RecallOutcome },
): Promise<void> {
  const recalling = { subaccountId, payoutId, note, who: actor.who, atMs: clock() };
  await audited({ db, seal }, actor).transaction(
    {
      action: outcome ? "payout.recall-outcome" : "payout.recall",
      object: { kind: "payout", id: payoutId },
      after: { note, outcome: outcome ?? "" },
    },
    (tx) =>
      outcome ? recordRecallOutcome(tx, { ...recalling, outcome }) : requestRecall(tx, recalling),
  );
}
