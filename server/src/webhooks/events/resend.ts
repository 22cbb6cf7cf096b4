// Resends one event, also an abandoned one: it is due for delivery again, to all endpoints or to one, and the feed repeats it.

import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { requireEndpoint } from "../webhook-endpoints/index.ts";
import { type EventKey, type EventRow, findEvent } from "./list-queries.ts";
import { updateResent } from "./resend-queries.ts";

export async function resendEvent(
  tx: Tx,
  key: EventKey,
  { who, nowMs, endpointId }: { who: string; nowMs: number; endpointId?: string | undefined },
): Promise<EventRow> {
  const only = endpointId ? await requireEndpoint(tx, key.subaccountId, endpointId) : undefined;
  const event = await findEvent(tx, key);
  if (!event) throw new Refusal("EVNT101");
  if (only?.key.endpointId && !only.row.event_types.includes(event.row.type)) {
    throw new Refusal([problem("EVNT209", "endpoint_id")]);
  }
  const onlyId = endpointId?.toLowerCase();
  await updateResent(tx, { ...key, resendId: newId(), who, nowMs, onlyId });
  return (await findEvent(tx, key))?.row ?? event.row;
}
