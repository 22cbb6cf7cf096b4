// Signatures of deliveries, compared with the public library, Node's HMAC and fixed vectors.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import vectors from "../../../../client/test/signature-vectors.json" with { type: "json" };
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { signDelivery, webhookKey } from "../../../src/webhooks/webhook-signature/sign.ts";

const { events } = vectors.signatures;

test.each(events)("$id gets the published signature, from text and from bytes", (vector) => {
  const { id, body, signature } = vector;
  const keys = vector.secrets.map(webhookKey);
  const timestampS = Number(vector.timestamp);
  expect(signDelivery(keys, { id, timestampS, body })).toBe(signature);
  expect(signDelivery(keys, { id, timestampS, body: Buffer.from(body) })).toBe(signature);
});

test("the public library verifies what we sign, under each of the live secrets and no other", () => {
  const timestampS = Math.floor(Date.now() / 1000);
  const body = events[1]?.body as string;
  const live = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const id = "evt_0190f3a2-7b3c-7d1e-8f00-0123456789af";
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signDelivery(live.map(webhookKey), { id, timestampS, body }),
  };
  for (const secret of live) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
  }
  const other = new Webhook(newWebhookSecret());
  expect(() => other.verify(body, headers)).toThrow("No matching signature");
});

test("our signatures equal Node's HMAC, for secrets and bodies of every length", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 3000 });
  const anySecret = fc.uint8Array({ minLength: 24, maxLength: 64 });
  const anyBody = fc.oneof(anyText, fc.uint8Array({ maxLength: 3000 }));
  const anyTime = fc.nat({ max: 4_000_000_000 });
  let kept = webhookKey(newWebhookSecret());
  fc.assert(
    fc.property(anySecret, fc.uuid(), anyTime, anyBody, (bytes, uuid, timestampS, body) => {
      const id = `evt_${uuid}`;
      const key = webhookKey(`whsec_${Buffer.from(bytes).toString("base64")}`);
      const expected = createHmac("sha256", bytes).update(`${id}.${timestampS}.`).update(body);
      // Signs with the previous key first, which must not affect this signature.
      const [, own] = signDelivery([kept, key], { id, timestampS, body }).split(" ");
      expect(own).toBe(`v1,${expected.digest("base64")}`);
      expect(signDelivery([key], { id, timestampS, body })).toBe(own);
      kept = key;
    }),
    { numRuns: 2_000 },
  );
});

test("a secret is whsec_ and 32 random bytes, and other texts are refused", () => {
  const secrets = Array.from({ length: 1_000 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

  const secret = secrets[0] as string;
  const wrong = ["", "whsec_", "whsec_AAAA", `${secret}\n`, `"${secret}"`, secret.slice(0, -1)];
  for (const text of [...wrong, `sk_test_${"a".repeat(43)}`, `${secret}=`]) {
    expect(() => webhookKey(text), text).toThrow("a webhook secret is");
  }
});
