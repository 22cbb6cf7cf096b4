// Resends one event, also an abandoned one: it is due for delivery again, and the feed repeats it.

import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type EventKey, type EventRow, findEvent } from "./list-queries.ts";
import { updateResent } from "./resend-queries.ts";

export async function resendEvent(
  tx: Tx,
  key: EventKey,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<EventRow> {
  const found = await updateResent(tx, { ...key, resendId: newId(), who, nowMs });
  const event = found ? await findEvent(tx, key) : undefined;
  if (!event) throw new Refusal("EVNT101");
  return event.row;
}
