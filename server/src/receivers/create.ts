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
    subaccount_id: caller.subaccountId,
    id,
    created_at_ms: idTimeMs(id),
    request_id: caller.requestId,
    key: caller.key,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    first_name: input.first_name,
    last_name: input.last_name,
    middle_name: input.middle_name ?? "",
    email: input.email,
    email_key: emailKey(input.email),
    gender: input.gender,
    dob: input.dob,
    dialcode: input.dialcode,
    phone: input.phone,
    address: input.address,
    address2: input.address2,
    city: input.city,
    state: input.state,
    postcode: input.postcode,
    country: input.country,
    reference: input.reference ?? "",
    applicant_id: `applicant_${id.replaceAll("-", "")}`,
    status: "pending",
    kyc_status: "pending",
  };
}
