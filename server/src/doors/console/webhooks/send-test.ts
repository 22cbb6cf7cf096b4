// A user sends a sample event.

import { audited } from "../../../tenants/audit/index.ts";
import { insertTestEvent } from "../../../webhooks/events/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import type { TestedWebhook, WebhookTest } from "./schema.ts";

export function sendTestEvent(
  { db, seal, clock }: WriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
  test: WebhookTest,
): Promise<TestedWebhook> {
  return audited({ db, seal }, actor).transaction<TestedWebhook>(
    ({ type }) => ({
      action: "event.trigger",
      object: { kind: "subaccount", id },
      after: { type },
    }),
    (tx) => insertTestEvent(tx, id, test, clock()),
  );
}
