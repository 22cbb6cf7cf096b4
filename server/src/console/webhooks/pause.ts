// A user pauses the delivery of events.

import { audited } from "../../audit/audited.ts";
import { pauseEndpoint } from "../../webhook-endpoints/pause.ts";
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
