// A user pauses the delivery of events.

import { audited } from "../../../tenants/audit/index.ts";
import { pauseEndpoint } from "../../../webhooks/webhook-endpoints/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

export async function pauseWebhook(
  { db, seal, clock }: WriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
): Promise<void> {
  const entry = { action: "subaccount.pause_postback", object: { kind: "subaccount", id } };
  await audited({ db, seal }, actor).transaction(entry, (tx) =>
    pauseEndpoint(tx, id, { who: actor.who, nowMs: clock() }),
  );
}
