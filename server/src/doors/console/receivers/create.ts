// A user creates a receiver: the API's checks and write, in one transaction with its audit entry.

import { hash } from "node:crypto";
import {
  createReceiversOnce,
  type NewReceiver,
  toReceiverCreation,
} from "../../../people/receivers/index.ts";
import type { Caller } from "../../../platform/base/index.ts";
import { type RequestConflict, respondOnce } from "../../../platform/idempotency/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { recordAct, type UserActor } from "../../../tenants/audit/index.ts";
import type { ReceiverActParts } from "./change.ts";

/** Returns the id of the receiver. One key creates one receiver. */
export async function createForUser(
  { db, seal, providers, screener }: ReceiverActParts,
  { actor, caller }: { actor: UserActor; caller: Caller },
  input: NewReceiver,
  key: string,
): Promise<string> {
  const requestHash = hash("sha256", JSON.stringify(input));
  const idempotency = { key: `console ${key}`, requestHash };
  const creating = { provider: providers[caller.mode], screener, seal };
  const attempt = () =>
    db.transaction(async (tx): Promise<RequestConflict> => {
      const creation = toReceiverCreation({ ...caller, idempotency }, input, creating);
      const [outcome] = await createReceiversOnce(tx, [creation]);
      if (!outcome) throw new Error("a creation must be answered");
      if (outcome === "email-taken") throw new Refusal([problem("REVR201", "email")]);
      if (typeof outcome === "string" || outcome.replayed) return outcome;
      const object = { kind: "receiver", id: creation.row.id };
      await recordAct({ tx, seal }, actor, { action: "receiver.create", object });
      return outcome;
    });
  const { body } = await respondOnce(attempt);
  const { payload } = JSON.parse(body) as { payload: { receiver_id: string } };
  return payload.receiver_id;
}
