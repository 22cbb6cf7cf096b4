// Writes the event that an account has changed, in the transaction of the change, for subaccounts that requested it.

import type { Tx } from "../db/connect.ts";
import type { ReceiverAccountUpdate } from "../event-catalogue.ts";
import { receiverAccountUpdate } from "../events/outbox.ts";
import { insertRequestedEvent } from "../events/queries.ts";
import type { LockedAccount } from "./queries.ts";

export async function insertAccountUpdateEvent(
  tx: Tx,
  subaccountId: string,
  { id: accountId, receiver_id: receiverId, version }: Omit<LockedAccount, "status">,
  { status, tail }: { status: ReceiverAccountUpdate["status"]; tail: string },
): Promise<void> {
  const atMs = Date.now();
  const facts = { subaccountId, accountId, receiverId, version, status, tail, atMs };
  const event = receiverAccountUpdate(facts);
  await insertRequestedEvent(tx, { ...event, subaccountId, orderKey: accountId, atMs });
}
