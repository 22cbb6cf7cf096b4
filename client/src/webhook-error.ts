// Why an event did not verify: a word for programs and a sentence for people.

import { DisburseError } from "./errors.ts";

export const webhookCures = {
  missing_header:
    "Pass all headers of the request, and look whether a proxy drops or renames those that begin with webhook-.",
  malformed_timestamp: "The webhook-timestamp header is whole seconds since 1970, as it was sent.",
  malformed_signature:
    "The webhook-signature header holds v1,<base64>, one or more of them, parted by spaces, as it was sent.",
  malformed_secret:
    "A secret is whsec_ and base64, with nothing around it: neither quotes nor white space. An API secret (sk_…) is something else.",
  no_match:
    "Either the secret is another endpoint's or an old one, or the body has changed: pass its raw bytes, never JSON that was parsed and serialised again. `disburse verify` finds out which.",
  too_old:
    "The signature is right. Set your clock; verify on arrival, not after a queue; or raise toleranceS.",
  in_future: "The signature is right. Set your clock.",
  not_json: "The signature is right, so the service sent these bytes. Inform its operator.",
  unknown_event:
    "The signature is right. Respond with 2xx, and update this package to support the event.",
} as const;

export type WebhookProblem = keyof typeof webhookCures;

/** An event that you must not act on; `reason` says why. Respond with 400. */
export class WebhookVerificationError extends DisburseError {
  readonly reason: WebhookProblem;

  override get name(): string {
    return "WebhookVerificationError";
  }

  constructor(reason: WebhookProblem, what: string) {
    super(`${what} (${reason}). ${webhookCures[reason]}`, { code: "WEBHOOK_REFUSED" });
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}
