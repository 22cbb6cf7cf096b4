// A person makes a payout, makes a failed one anew, or takes one back: each in one transaction with what the audit says
// of it, and by the same checks as a caller of the interface.

import { hash } from "node:crypto";
import { recordAct } from "../../audit/record.ts";
import type { Caller } from "../../caller.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import {
  type RequestConflict,
  responseOrRefuse,
  retryWhileLocked,
} from "../../idempotency/once.ts";
import { cancelPayout } from "../../payouts/cancel.ts";
import {
  createIn,
  type PayoutParts,
  toPayoutCreation,
  toPayoutRefusal,
} from "../../payouts/create.ts";
import { findPayouts, lockPayout } from "../../payouts/list-queries.ts";
import type { PayoutRequest } from "../../payouts/payout.ts";
import { findRetry, insertRetry } from "../../payouts/retry-queries.ts";
import { createdPayoutAnswer } from "../../payouts/schema.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { type AuditedUser, actOf } from "../act.ts";

export type MakeParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  rails: PayoutParts["rails"];
  onPayoutDue: PayoutParts["onDue"];
};

/** The person, to the audit and in a caller's place. */
export type PayoutMaker = { doer: AuditedUser; caller: Caller };

/** The id of the payout. Under one key it is made once, however often it is asked for. */
export async function makePayout(
  { db, seal, rails, onPayoutDue }: MakeParts,
  { doer, caller }: PayoutMaker,
  wish: PayoutRequest,
  { key, retryOf }: { key: string; retryOf?: string },
): Promise<string> {
  const idempotency = { key: `console ${key}`, requestHash: hashOf(wish) };
  const attempt = () =>
    db.transaction(async (tx): Promise<RequestConflict> => {
      const retried = retryOf && (await findRetry(tx, caller.subaccountId, retryOf));
      if (retried) return { body: createdPayoutAnswer(retried), replayed: true };
      const creation = toPayoutCreation({ ...caller, idempotency }, wish);
      const [outcome] = await createIn(tx, rails, [creation]);
      if (!outcome) throw new Error("a creation must be answered");
      if (typeof outcome === "string") return outcome;
      if ("refused" in outcome) throw toPayoutRefusal(outcome);
      if (outcome.replayed) return outcome;
      const { receiverId, accountId, amount, currency } = wish;
      const made = { receiver_id: receiverId, account_id: accountId, amount, currency };
      const act = { action: "payout.create", object: { kind: "payout", id: creation.id } };
      const after = { ...made, ...(retryOf && { retry_of: retryOf }) };
      await recordAct({ tx, seal }, actOf(doer, { ...act, after }));
      if (retryOf) {
        await insertRetry(tx, caller.subaccountId, { retryOf, payoutId: creation.id });
        const retry = { action: "payout.retry", object: { kind: "payout", id: retryOf } };
        await recordAct({ tx, seal }, actOf(doer, { ...retry, after: { payout_id: creation.id } }));
      }
      return outcome;
    });
  const { body } = responseOrRefuse(await retryWhileLocked(attempt));
  onPayoutDue?.();
  const { payload } = JSON.parse(body) as { payload: { payout_id: string } };
  return payload.payout_id;
}

function hashOf(wish: PayoutRequest): string {
  return hash("sha256", JSON.stringify({ ...wish, amount: wish.amount.toString() }));
}

/** The same once more. A failed payout is made anew once: the new one can itself be, when it fails. */
export async function retryPayout(
  parts: MakeParts,
  maker: PayoutMaker,
  id: string,
): Promise<string> {
  const { subaccountId } = maker.caller;
  const [payout] = await findPayouts(parts.db, [{ subaccountId, id }]);
  if (!payout) throw new Refusal("CONS110");
  // One that has failed stays so: no lock is needed.
  if (payout.status !== "failed") throw new Refusal("CONS501");
  const wish: PayoutRequest = {
    receiverId: payout.receiver_id,
    accountId: payout.account_id,
    amount: BigInt(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    note: payout.note || `Retry of ${id}`,
    allowDuplicate: true,
  };
  return makePayout(parts, maker, wish, { key: `retry:${id}`, retryOf: id });
}

export async function cancelByUser(
  { db, seal, clock }: MakeParts,
  { doer, caller: { subaccountId } }: PayoutMaker,
  id: string,
): Promise<{ status: string; stage: string }> {
  const key = { subaccountId, id };
  return db.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (!payout) throw new Refusal("CONS110");
    const cancelling = { who: doer.who, atMs: clock(), cause: "cancelled by an operator" };
    const { status, stage } = await cancelPayout(tx, key, cancelling);
    if (stage !== payout.stage) {
      const act = { action: "payout.cancel", object: { kind: "payout", id } };
      const [before, after] = [{ stage: payout.stage }, { stage }];
      await recordAct({ tx, seal }, actOf(doer, { ...act, before, after }));
    }
    return { status, stage };
  });
}
