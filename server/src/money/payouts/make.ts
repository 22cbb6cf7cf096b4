// A user or a command creates or retries a payout: in one transaction with its audit entry, and checked as in the API.

import { hash } from "node:crypto";
import Type from "typebox";
import { type Caller, newId, toNumber } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { idField, input, requiredOfUsers } from "../../platform/fields/index.ts";
import { type RequestConflict, respondOnce } from "../../platform/idempotency/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import { type Actor, recordAct } from "../../tenants/audit/index.ts";
import type { PayoutActParts } from "./approve.ts";
import { createPayoutsIn, toPayoutCreation } from "./create.ts";
import { findPayouts } from "./list-queries.ts";
import { type PayoutRequest, toPayoutRequest } from "./payout.ts";
import { toPayoutRefusal } from "./problems.ts";
import { findRetry, insertRetry } from "./retry-queries.ts";
import { createdPayoutAnswer, MadePayout, NewPayout } from "./schema.ts";

export type MakeParts = PayoutActParts & { db: Db; seal: Seal };

/** The actor as the audit names them, and as a caller. */
type PayoutAccess = { actor: Actor; caller: Caller };

/** The batch of payouts that are retried together, with its totals by currency. */
export type RetryBatch = { batchId: string; batchTotals: ReadonlyMap<string, bigint> };

/** Returns the id of the payout. One key creates one payout. */
async function makePayout(
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
      const { receiverId, accountId, amount, currency, reference } = request;
      const made = { receiver_id: receiverId, account_id: accountId, amount, currency, reference };
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
    ...(payout.metadata && { metadata: payout.metadata }),
  };
  return makePayout(parts, access, request, { key: `retry:${id}`, retryOf: id, batch });
}

const ofPayout = {
  object: "payout",
  may: "payouts.create",
  twoPeople: "Create a payout: alone, in a batch, from a file, as a retry",
  in: "open subaccount",
  output: MadePayout,
} as const;

const accessOf = (by: ActBy): PayoutAccess => ({ actor: by.actor, caller: callerOf(by) });

const { receiver_account_id: _alias, ...payoutFields } = NewPayout.properties;

/** As in the API, with the same error codes. */
export const PayoutToPreview = input(payoutFields);

export const createPayoutAct = call({
  ...ofPayout,
  name: "payout.create",
  summary: "pay a receiver; the amount is held immediately",
  doors: ["api", "console", "cli"],
  input: input({
    ...payoutFields,
    once: requiredOfUsers(
      Type.String({
        pattern: "^[A-Za-z0-9-]{16,64}$",
        description: "One per form: a form that is sent twice creates one payout",
      }),
    ),
  }),
  async perform(parts: ActParts & MakeParts, by, { once = newId(), ...payout }) {
    const request = toPayoutRequest(payout);
    const payout_id = await makePayout(parts, accessOf(by), request, { key: once });
    return { payout_id, amount: toNumber(request.amount), currency: request.currency };
  },
});

export const retryPayoutAct = call({
  ...ofPayout,
  name: "payout.retry",
  summary: "create a failed payout again",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
  perform: async (parts: ActParts & MakeParts, by, { id }) => ({
    payout_id: await retryPayout(parts, accessOf(by), id),
  }),
});
