// Creates receivers. Calls that come together are one statement and one commit; each gets its own answer.

import { type Batching, batch } from "../db/batch.ts";
import type { Db } from "../db/connect.ts";
import { idTimeMs, newId } from "../ids.ts";
import { Refusal } from "../refusals.ts";
import type { Caller } from "../subaccounts/subaccount.ts";
import { insertReceivers, type ReceiverToInsert } from "./queries.ts";
import { emailKey } from "./receiver.ts";
import type { NewReceiver } from "./schema.ts";

/** Answers with the new id once it is committed. */
export type CreateReceiver = (caller: Caller, input: NewReceiver) => Promise<string>;

export function receiverCreator(db: Db, batching?: Batching): CreateReceiver {
  const insert = batch((rows: ReceiverToInsert[]) => insertReceivers(db, rows), batching);
  return async (caller, input) => {
    const row = toRow(caller, input);
    const insertion = await insert(row);
    if (insertion === "nonce-used") throw new Refusal("AUTH107");
    if (insertion === "email-taken") throw new Refusal("REVR201");
    return row.id;
  };
}

function toRow(caller: Caller, input: NewReceiver): ReceiverToInsert {
  const id = newId();
  return {
    subaccountId: caller.subaccountId,
    requestId: caller.requestId,
    key: caller.key,
    nonce: caller.nonce,
    id,
    createdAtMs: idTimeMs(id),
    applicantId: `applicant_${id.replaceAll("-", "")}`,
    status: "pending",
    kycStatus: "pending",
    emailKey: emailKey(input.email),
    ...input,
    middle_name: input.middle_name ?? "",
    reference: input.reference ?? "",
  };
}
