// Sets which event types on request a subaccount is sent, from the next change on.

import type { Tx } from "../../platform/db/index.ts";
import { type EventType, onRequestTypes, sentTypes } from "../../platform/event-catalogue/index.ts";
import { updateEventTypes } from "./queries.ts";

/** Returns all types that it is sent from now on. */
export async function setEventTypes(
  tx: Tx,
  subaccountId: string,
  types: readonly string[],
): Promise<EventType[]> {
  const requested = onRequestTypes.filter((type) => types.includes(type));
  await updateEventTypes(tx, subaccountId, requested);
  return sentTypes(requested);
}
