// The headers and the signature of a delivery, as Standard Webhooks defines them: `v1,<base64>` of
// `id.timestamp.body`, one signature for each secret that is valid. Pure.

import assert from "node:assert/strict";
import { version } from "../../platform/base/index.ts";
import { type HmacKey, hmac, hmacKey } from "../../platform/signatures/index.ts";

export const secretPrefix = "whsec_";

/** Reads `whsec_`, which may be missing, and base64 of 24 to 64 bytes. Undefined: malformed. */
export function decodeSecret(secret: string): Buffer | undefined {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const bytes = Buffer.from(text, "base64");
  const isWhole = bytes.toString("base64") === text;
  return isWhole && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

/** Prepares a secret for signing. Keep the key: preparing it costs more than signing. */
export function webhookKey(secret: string): HmacKey {
  const bytes = decodeSecret(secret);
  assert(bytes, "a webhook secret is whsec_ and base64");
  return hmacKey(bytes);
}

export type DeliveryToSign = {
  /** `evt_…`, as in the webhook-id header. */
  id: string;
  timestampS: number;
  body: string | Uint8Array;
};

/** The value of the webhook-signature header. */
export function signDelivery(
  keys: readonly HmacKey[],
  { id, timestampS, body }: DeliveryToSign,
): string {
  const head = `${id}.${timestampS}.`;
  let header = "";
  for (const key of keys) {
    const code =
      typeof body === "string" ? hmac(key, "base64", head + body) : hmac(key, "base64", head, body);
    header += header === "" ? `v1,${code}` : ` v1,${code}`;
  }
  return header;
}

const userAgent = `disburse/${version}`;

/** `attempt` counts from 1. */
export function deliveryHeaders(
  keys: readonly HmacKey[],
  { attempt, ...delivery }: DeliveryToSign & { attempt: number },
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "webhook-id": delivery.id,
    "webhook-timestamp": String(delivery.timestampS),
    "webhook-signature": signDelivery(keys, delivery),
    "webhook-attempt": String(attempt),
  };
}
