// A user sets where events are sent, or resumes a paused webhook endpoint.

import { audited } from "../../audit/audited.ts";
import { Refusal } from "../../refusals/refusals.ts";
import { plainUrl } from "../../webhook-endpoints/endpoint.ts";
import { findEndpoint, lockEndpoint } from "../../webhook-endpoints/queries.ts";
import { setPostback } from "../../webhook-endpoints/set-postback.ts";
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
