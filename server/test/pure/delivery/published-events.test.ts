// The four published events and their headers, byte for byte. A change of these hashes breaks every program that exists.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  payoutCreated,
  payoutFailure,
  payoutUpdate,
  receiverKycUpdate,
} from "../../../src/webhooks/events/outbox.ts";
import { deliveryHeaders, webhookKey } from "../../../src/webhooks/webhook-signature/sign.ts";

const subaccountId = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";
const receiverId = "0190f3a2-7b3c-7d1e-8f00-0123456789ac";
const atMs = 1_731_628_799_123;
const payout = {
  ...{ subaccountId, receiverId, atMs },
  payoutId: "0190f3a2-7b3c-7d1e-8f00-0123456789ae",
  accountId: "0190f3a2-7b3c-7d1e-8f00-0123456789ad",
  amount: 12_500n,
  currency: "AUD",
  reference: "invoice 17",
};
const key = webhookKey(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

test.each([
  [payoutCreated(payout), "70b4f1fd793154c052f1577fe31e2fd8"],
  [payoutUpdate(payout), "9124af2d325a39f32327ab1d97e658ac"],
  [payoutFailure(payout, "account closed"), "d11444e50a3bc73bebaf9e9f2967bf1b"],
  [
    receiverKycUpdate({ subaccountId, receiverId, status: "failed", atMs }),
    "837d6b745035338d946550e898d2be45",
  ],
])("%o: body and headers are what they were", ({ body }, hash) => {
  const attempt = { id: "evt_1", timestampS: 1_731_628_800, body, attempt: 1 };
  const { "user-agent": agent, ...headers } = deliveryHeaders([key], attempt);
  expect(agent).toMatch(/^disburse\//);
  expect(hashOf(body + JSON.stringify(headers))).toBe(hash);
});
