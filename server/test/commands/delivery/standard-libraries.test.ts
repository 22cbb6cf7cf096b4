// The libraries of Standard Webhooks in other languages verify what we send, in both formats.

import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { thinBody } from "../../../src/webhooks/delivery/thin-body.ts";
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { deliveryHeaders, webhookKey } from "../../../src/webhooks/webhook-signature/sign.ts";
import { testUnless } from "../../support/skippable.ts";

const python = ["python3", "-c", "from standardwebhooks.webhooks import Webhook"] as const;
const php = [
  "php",
  "-r",
  "@include 'vendor/autoload.php'; exit(class_exists('StandardWebhooks\\Webhook') ? 0 : 1);",
] as const;

const missing = (name: string, [program, ...words]: readonly [string, ...string[]]) =>
  spawnSync(program, words).status === 0
    ? undefined
    : `the machine has no ${name} with the library of Standard Webhooks`;

const full = JSON.stringify({ event: "payoutUpdate", status: "successful", timestamp: 1 });
const event = { event_id: "0190f3a2-7b3c-7d1e-8f00-0123456789ab", order_key: "1", body: full };
const bodies = [full, thinBody(event)];

function verifies([program, flag, load]: readonly [string, string, string], check: string): void {
  for (const body of bodies) {
    const secret = newWebhookSecret();
    const timestampS = Math.floor(Date.now() / 1000);
    const headers = deliveryHeaders([webhookKey(secret)], {
      ...{ id: "evt_1", timestampS, body },
      attempt: 1,
    });
    const input = JSON.stringify({ secret, body, headers });
    const { status, stderr } = spawnSync(program, [flag, `${load}${check}`], { input });
    expect([status, stderr.toString()]).toEqual([0, ""]);
  }
}

testUnless(missing("Python", python))("Python verifies both formats", () => {
  const check = `\nimport json, sys\nd = json.load(sys.stdin)\nWebhook(d["secret"]).verify(d["body"], d["headers"])`;
  verifies(python, check);
});

testUnless(missing("PHP", php))("PHP verifies both formats", () => {
  const load = "include 'vendor/autoload.php';";
  const check =
    "$d = json_decode(stream_get_contents(STDIN), true); (new StandardWebhooks\\Webhook($d['secret']))->verify($d['body'], $d['headers']);";
  verifies(["php", "-r", load], check);
});
