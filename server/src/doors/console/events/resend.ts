// A user sends an event again.

import { Refusal } from "../../../platform/refusals/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { findEvent, resendEvent } from "../../../webhooks/events/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toEventLine } from "./present.ts";
import type { EventLine } from "./schema.ts";

export function resendConsoleEvent(
  { db, seal, clock }: WriteParts,
  { actor, subaccount }: SubaccountAccess,
  id: string,
): Promise<EventLine> {
  const key = { subaccountId: subaccount.id, id };
  const entry = { action: "event.resend", object: { kind: "event", id } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await resendEvent(tx, key, { who: actor.who, nowMs: clock() });
    const event = await findEvent(tx, key);
    if (!event) throw new Refusal("CONS110");
    return toEventLine(event.row);
  });
}
