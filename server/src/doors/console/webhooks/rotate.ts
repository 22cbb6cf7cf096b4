// A user rotates the secret that signs events. Earlier secrets stay valid for the overlap.

import { audited } from "../../../tenants/audit/index.ts";
import { rotateSecret } from "../../../webhooks/webhook-endpoints/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import type { NewWebhookSecret } from "./schema.ts";
import { toSecrets } from "./webhook.ts";

export function rotateWebhookSecret(
  { db, seal, clock }: WriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
  overlapSeconds: number,
): Promise<NewWebhookSecret> {
  const entry = {
    action: "subaccount.rotate_postback_secret",
    object: { kind: "subaccount", id },
    after: { overlap_seconds: overlapSeconds },
  };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    const rotation = { overlapMs: overlapSeconds * 1000, nowMs: clock() };
    const { secret, secrets } = await rotateSecret({ tx, seal }, id, rotation);
    return { secret, secrets: toSecrets(secrets) };
  });
}
