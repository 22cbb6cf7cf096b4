// The headers that an event is sent with: those of Standard Webhooks, and the number of the try.

import type { HmacKey } from "../api-keys/signature.ts";
import { version } from "../version.ts";
import { type DeliveryToSign, signDelivery } from "./sign.ts";

const userAgent = `disburse/${version}`;

/** `attempt` counts from 1. */
export function deliveryHeaders(
  signing: readonly HmacKey[],
  { attempt, ...delivery }: DeliveryToSign & { attempt: number },
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "webhook-id": delivery.id,
    "webhook-timestamp": String(delivery.timestampS),
    "webhook-signature": signDelivery(signing, delivery),
    "webhook-attempt": String(attempt),
  };
}
