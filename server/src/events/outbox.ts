// What is to be told, as the row of the outbox: the bytes are fixed here, once, and never change.

import { newId } from "../ids.ts";
import type { ReceiverKycUpdate } from "./schema.ts";

export type OutboxEvent = { id: string; type: string; body: string };

export function receiverKycUpdate(change: {
  subaccountId: string;
  receiverId: string;
  status: ReceiverKycUpdate["status"];
  atMs: number;
}): OutboxEvent {
  const event: ReceiverKycUpdate = {
    event: "receiverKycUpdate",
    receiver_id: change.receiverId,
    status: change.status,
    subccount_id: change.subaccountId, // Sic. The published interface spells it this way.
    timestamp: change.atMs,
  };
  return { id: newId(), type: event.event, body: JSON.stringify(event) };
}
