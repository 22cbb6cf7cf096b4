// Closes an account: it is no longer listed or paid, and stays for the payouts that name it.

import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { accountHasPendingPayouts, closeAccount } from "./close-queries.ts";
import { insertAccountUpdateEvent } from "./insert-update-event.ts";
import { type AccountKey, lockAccount } from "./queries.ts";
import type { DeletedReceiverAccount } from "./schema.ts";

/** Closing a closed account changes nothing and answers the same. */
export async function deleteAccount(tx: Tx, key: AccountKey): Promise<DeletedReceiverAccount> {
  const locked = await lockAccount(tx, key);
  if (!locked) throw new Refusal("REAC104");
  if (locked.status === "active") {
    if (await accountHasPendingPayouts(tx, key)) throw new Refusal("REAC301");
    const tail = await closeAccount(tx, key);
    await insertAccountUpdateEvent(tx, key.subaccountId, locked, { status: "deleted", tail });
  }
  const { id, receiver_id } = locked;
  return { account_id: id, receiver_account_id: id, receiver_id, status: "inactive" };
}
