// Deliveries of all four events, signed and on time, for tests to alter.

import { newId } from "../../src/platform/base/ids.ts";
import {
  payoutCreated,
  payoutFailure,
  payoutUpdate,
  receiverKycUpdate,
} from "../../src/webhooks/events/outbox.ts";
import { newWebhookSecret } from "../../src/webhooks/webhook-endpoints/secret.ts";
import { signDelivery, webhookKey } from "../../src/webhooks/webhook-signature/sign.ts";

export const secret = newWebhookSecret();
export const timestampS = 1_731_628_800;
export const nowMs = timestampS * 1000 + 2_500;

export const facts = (reference: string) => ({
  subaccountId: newId(),
  payoutId: newId(),
  receiverId: newId(),
  accountId: newId(),
  amount: 12_500n,
  currency: "AUD",
  reference,
  atMs: nowMs,
});
const invoice = facts(`Café "7" & <Sons> 🙂 ’ / x`);
export const bodies = [
  payoutCreated(invoice),
  payoutUpdate(invoice),
  payoutFailure(invoice, "account closed"),
  receiverKycUpdate({ ...invoice, status: "completed" }),
].map(({ body }) => body);

export type Names = "webhook-id" | "webhook-timestamp" | "webhook-signature";
type Sent = { headers: Record<Names, string>; body: Buffer };

export function send(text = bodies[2] as string): Sent {
  const body = Buffer.from(text);
  const id = `evt_${newId()}`;
  const signature = signDelivery([webhookKey(secret)], { id, timestampS, body });
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(timestampS),
      "webhook-signature": signature,
    },
    body,
  };
}
