// Computes the signed text and the signatures of an attempt again, from the stored secrets.

import type { Seal } from "../../../platform/encryption/index.ts";
import { signingKeys } from "../../../webhooks/delivery/index.ts";
import type { EventDetail } from "../../../webhooks/events/index.ts";
import { deliveryHeaders } from "../../../webhooks/webhook-signature/index.ts";
import type { SigningSecret } from "./queries.ts";
import type { EventAttempt } from "./schema.ts";

type Attempt = EventDetail["attempts"][number];
type SignedEvent = { subaccountId: string; id: string; body: string; nowMs: number };

export function attemptSigner(seal: Seal, secrets: readonly SigningSecret[]) {
  const keysOf = signingKeys(seal);

  return function show({ at, timestamp, ...attempt }: Attempt, event: SignedEvent): EventAttempt {
    const { subaccountId, id, body, nowMs } = event;
    const atMs = Number(at);
    const ofThen = secrets.filter(
      ({ created_at_ms, expires_at_ms }) =>
        created_at_ms <= atMs && (expires_at_ms ?? Number.POSITIVE_INFINITY) > atMs,
    );
    const live = ofThen.filter(({ expires_at_ms }) => (expires_at_ms ?? Infinity) > nowMs);
    const signing = keysOf({ subaccount_id: subaccountId, secrets: live })();
    const sent = { id, timestampS: Number(timestamp), body, attempt: attempt.number };
    // An older release may have sent it.
    const {
      "webhook-signature": signature,
      "user-agent": _,
      ...headers
    } = deliveryHeaders(signing, sent);
    return {
      ...attempt,
      at: atMs,
      headers,
      signed_string: `${id}.${timestamp}.${body}`,
      signatures: signature ? signature.split(" ") : [],
      has_ended_secret: live.length === 0 || live.length < ofThen.length,
    };
  };
}
