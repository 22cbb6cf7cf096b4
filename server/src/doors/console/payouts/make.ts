// A user creates, retries or cancels a payout: in one transaction with its audit entry, with the same checks as the
// API.

import { hash } from "node:crypto";
import {
  cancelPayout,
  createdPayoutAnswer,
  createPayoutsIn,
  findPayouts,
  findRetry,
  insertRetry,
  lockPayout,
  type PayoutParts,
  type PayoutRequest,
  toPayoutCreation,
  toPayoutRefusal,
} from "../../../money/payouts/index.ts";
import type { RailDirectory } from "../../../money/rails/index.ts";
import type { Caller, Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type RequestConflict, respondOnce } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, recordAct } from "../../../tenants/audit/index.ts";

export type MakeParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  rails: RailDirectory;
  onPayoutDue: PayoutParts["onDue"];
};

/** The user as the audit names them, and as a caller. */
export type PayoutAccess = { actor: Actor; caller: Caller };

/** The batch of payouts that are retried together, with its totals by currency. */
export type RetryBatch = { batchId: string; batchTotals: ReadonlyMap<string, bigint> };

/** Returns the id of the payout. One key creates one payout. */
export async function makePayout(
  { db, seal, rails, onPayoutDue }: MakeParts,
  { actor, caller }: PayoutAccess,
  request: PayoutRequest,
  { key, retryOf, batch }: { key: string; retryOf?: string; batch?: RetryBatch | undefined },
): Promise<string> {
  const idempotency = { key: `console ${key}`, requestHash: hashOf(request) };
  const attempt = () =>
    db.transaction(async (tx): Promise<RequestConflict> => {
      const retried = retryOf && (await findRetry(tx, caller.subaccountId, retryOf));
      if (retried) return { body: createdPayoutAnswer(retried), replayed: true };
      const creation = toPayoutCreation({ ...caller, idempotency }, request, {
        batchId: batch?.batchId,
        batchTotal: batch?.batchTotals.get(request.currency),
      });
      const [outcome] = await createPayoutsIn(tx, rails, [creation]);
      if (!outcome) throw new Error("a creation must be answered");
      if (typeof outcome === "string") return outcome;
      if ("refused" in outcome) throw toPayoutRefusal(outcome);
      if (outcome.replayed) return outcome;
      const { receiverId, accountId, amount, currency } = request;
      const made = { receiver_id: receiverId, account_id: accountId, amount, currency };
      const act = { action: "payout.create", object: { kind: "payout", id: creation.id } };
      const after = { ...made, ...(retryOf && { retry_of: retryOf }) };
      await recordAct({ tx, seal }, actor, { ...act, after });
      if (retryOf) {
        await insertRetry(tx, caller.subaccountId, { retryOf, payoutId: creation.id });
        const retry = { action: "payout.retry", object: { kind: "payout", id: retryOf } };
        await recordAct({ tx, seal }, actor, { ...retry, after: { payout_id: creation.id } });
      }
      return outcome;
    });
  const { body } = await respondOnce(attempt);
  onPayoutDue?.();
  const { payload } = JSON.parse(body) as { payload: { payout_id: string } };
  return payload.payout_id;
}

function hashOf(request: PayoutRequest): string {
  return hash("sha256", JSON.stringify({ ...request, amount: request.amount.toString() }));
}

/** Creates a failed payout again. Each can be retried once; the new one can be retried if it fails too. */
export async function retryPayout(
  parts: MakeParts,
  access: PayoutAccess,
  id: string,
  batch?: RetryBatch,
): Promise<string> {
  const { subaccountId } = access.caller;
  const [payout] = await findPayouts(parts.db, [{ subaccountId, id }]);
  if (!payout) throw new Refusal("CONS110");
  // A failed payout stays failed, so no lock is needed.
  if (payout.status !== "failed") throw new Refusal("CONS501");
  const request: PayoutRequest = {
    receiverId: payout.receiver_id,
    accountId: payout.account_id,
    amount: BigInt(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    note: payout.note || `Retry of ${id}`,
    allowDuplicate: true,
    sendOn: "",
    statementReference: payout.statement_reference,
    purpose: payout.purpose,
  };
  return makePayout(parts, access, request, { key: `retry:${id}`, retryOf: id, batch });
}

export async function cancelByUser(
  { db, seal, clock }: MakeParts,
  { actor, caller: { subaccountId } }: PayoutAccess,
  id: string,
): Promise<{ status: string; stage: string }> {
  const key = { subaccountId, id };
  return db.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (!payout) throw new Refusal("CONS110");
    const cancelling = { who: actor.who, atMs: clock(), cause: "cancelled by an operator" };
    const { status, stage } = await cancelPayout(tx, key, cancelling);
    if (stage !== payout.stage) {
      const act = { action: "payout.cancel", object: { kind: "payout", id } };
      const [before, after] = [{ stage: payout.stage }, { stage }];
      await recordAct({ tx, seal }, actor, { ...act, before, after });
    }
    return { status, stage };
  });
}
