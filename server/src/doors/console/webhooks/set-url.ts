// A user sets where events are sent, or resumes a paused webhook endpoint.

import { Refusal } from "../../../platform/refusals/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import {
  findEndpoint,
  lockEndpoint,
  plainUrl,
  setPostback,
} from "../../../webhooks/webhook-endpoints/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WebhookWriteParts } from "./webhook.ts";

type SetUrl = { before: string; secret: string | undefined };

/** Returns the secret if this is the first URL. */
export async function setWebhookUrl(
  { db, seal, clock, addresses }: WebhookWriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
  url: string,
): Promise<string | null> {
  const { secret } = await audited({ db, seal }, actor).transaction<SetUrl>(
    ({ before }) => ({
      action: "subaccount.set_postback",
      object: { kind: "subaccount", id },
      before: { postback_url: plainUrl(before) },
      after: { postback_url: plainUrl(url) },
    }),
    async (tx) => {
      await lockEndpoint(tx, id);
      const before = (await findEndpoint(tx, id, 0))?.url ?? "";
      const setting = { addresses, nowMs: clock() };
      return { before, secret: await setPostback({ tx, seal }, id, url, setting) };
    },
  );
  return secret ?? null;
}

export async function resumeWebhook(
  { db, seal, clock, addresses }: WebhookWriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
): Promise<void> {
  const entry = { action: "subaccount.resume_postback", object: { kind: "subaccount", id } };
  await audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await lockEndpoint(tx, id);
    const url = (await findEndpoint(tx, id, 0))?.url;
    if (!url) throw new Refusal("CONS703");
    await setPostback({ tx, seal }, id, url, { addresses, nowMs: clock() });
  });
}
