// Writes the event that an account has changed, in the transaction of the change, for subaccounts that requested it.

import type { Tx } from "../../platform/db/index.ts";
import type { ReceiverAccountUpdate } from "../../platform/event-catalogue/index.ts";
import { insertRequestedEvent, receiverAccountUpdate } from "../../webhooks/events/index.ts";
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
