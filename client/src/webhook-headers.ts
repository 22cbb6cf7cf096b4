// Reads the three headers of a delivery, from the header types of common frameworks.

import { WebhookVerificationError } from "./webhook-error.ts";

/** A `Headers`, the headers of Node, a record with names in any case, or pairs. */
export type WebhookHeaders =
  | Headers
  | Iterable<readonly [string, string]>
  | { readonly [name: string]: string | readonly string[] | undefined };

type DeliveryHeaders = {
  id: string;
  timestamp: string;
  timestampS: number;
  codes: string[];
};

export function readHeaders(headers: WebhookHeaders): DeliveryHeaders {
  const found = new Map<string, string>();
  for (const [name, value] of pairsOf(headers)) {
    const lowerName = name.toLowerCase();
    // Joined as HTTP joins them, so that two ids are never taken for one.
    const values = [found.get(lowerName) ?? [], value ?? []].flat();
    if (values.length > 0) found.set(lowerName, values.join(", "));
  }
  const read = (name: string) => {
    const value = found.get(name);
    if (value) return value;
    throw new WebhookVerificationError("missing_header", `There is no ${name} header`);
  };
  const id = read("webhook-id");
  const timestamp = read("webhook-timestamp");
  const signature = read("webhook-signature");
  return { id, timestamp, timestampS: readSeconds(timestamp), codes: readCodes(signature) };
}

/** Whether this `webhook-id` is that of a test event. The header is signed: trust it once it is verified. */
export function isTest(id: string): boolean {
  return id.startsWith("evt_test_");
}

type Pair = readonly [string, string | readonly string[] | undefined];

function pairsOf(headers: WebhookHeaders): Iterable<Pair> {
  if (typeof headers !== "object" || headers === null) {
    throw new TypeError("headers must be those of the request");
  }
  return Symbol.iterator in headers ? (headers as Iterable<Pair>) : Object.entries(headers);
}

function readSeconds(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const what = /^\d{13}$/.test(text) ? "is in milliseconds" : "is not a number of seconds";
  throw new WebhookVerificationError("malformed_timestamp", `webhook-timestamp ${what}`);
}

// Signatures of other versions are ignored.
function readCodes(header: string): string[] {
  const entries = header.split(/,?\s+/);
  const codes = entries.flatMap((entry) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(entry)?.[1] ?? []);
  if (codes.length > 0) return codes;
  throw new WebhookVerificationError("malformed_signature", "webhook-signature holds no signature");
}
