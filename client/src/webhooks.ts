// Verifies events that arrive at a webhook endpoint: the signature, the time and the body. Needs
// no API key. The headers and the signature are those of Standard Webhooks.

import type { DisburseEvent, ThinEvent } from "./event-bodies.ts";
import { bytes, hmac } from "./sign.ts";
import { WebhookVerificationError } from "./webhook-error.ts";
import { isTest, readHeaders, type WebhookHeaders } from "./webhook-headers.ts";

export type UnwrapOptions = {
  /** How far the time of sending may be from now, either way. Default: 300. */
  toleranceS?: number;
  /** Instead of the clock. */
  now?: Date | number;
};

/** An event with what its headers say. */
export type WebhookDelivery<Event = DisburseEvent> = {
  /** The same for every attempt: act on it once. */
  id: string;
  /** The time of this attempt. */
  timestamp: Date;
  event: Event;
  /** A test event with invented ids. Do not act on it. */
  isTest: boolean;
};

type Secrets = string | readonly string[];

/**
 * The event, if one of the secrets signed exactly these bytes; otherwise a `WebhookVerificationError`.
 * During a rotation, pass the old secret and the new one.
 */
async function unwrap(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: Secrets,
  options?: UnwrapOptions,
): Promise<DisburseEvent> {
  return (await verify(rawBody, headers, secrets, options)).event;
}

/** Like `unwrap`, and gives id and time beside the event, and whether it is a test event. */
async function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: Secrets,
  options?: UnwrapOptions,
): Promise<WebhookDelivery> {
  return verifyAs(readEvent, { rawBody, headers, secrets, options });
}

/** The same for a webhook endpoint of the format `thin`. */
async function verifyThin(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: Secrets,
  options?: UnwrapOptions,
): Promise<WebhookDelivery<ThinEvent>> {
  return verifyAs(readThinEvent, { rawBody, headers, secrets, options });
}

type Arrived = {
  rawBody: string | Uint8Array;
  headers: WebhookHeaders;
  secrets: Secrets;
  options: UnwrapOptions | undefined;
};

async function verifyAs<Event>(
  read: (body: Uint8Array) => Event,
  { rawBody, headers, secrets, options = {} }: Arrived,
): Promise<WebhookDelivery<Event>> {
  const toleranceS = options.toleranceS ?? 300;
  if (!(toleranceS >= 0)) throw new TypeError("toleranceS must be a number, 0 or more");
  const nowS = secondsOf(options.now ?? Date.now());
  const body = readBody(rawBody);
  const keys = readSecrets(secrets);
  const { id, timestamp, timestampS, codes } = readHeaders(headers);

  // The time comes after the match, so that "too old" is said of genuine deliveries only.
  const expected = await codesOf(keys, `${id}.${timestamp}.`, body);
  if (!anyEqual(codes, expected)) {
    throw new WebhookVerificationError("no_match", "No signature matches");
  }
  const ageS = nowS - timestampS;
  if (ageS > toleranceS) {
    throw new WebhookVerificationError("too_old", `This was sent ${ageS} s ago`);
  }
  if (-ageS > toleranceS) {
    throw new WebhookVerificationError("in_future", `This was sent ${-ageS} s in the future`);
  }
  const event = read(body);
  return { id, timestamp: new Date(timestampS * 1000), event, isTest: isTest(id) };
}

/** The headers of a delivery, to test your own program with. Id and time are generated if they are not given. */
async function sign(input: {
  body: string | Uint8Array;
  secrets: Secrets;
  id?: string;
  timestamp?: Date | number;
}): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const id = input.id ?? `evt_${crypto.randomUUID()}`;
  const timestampS = secondsOf(input.timestamp ?? Date.now());
  const keys = readSecrets(input.secrets);
  const codes = await codesOf(keys, `${id}.${timestampS}.`, readBody(input.body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": codes.map((code) => `v1,${code}`).join(" "),
  };
}

export const webhooks = { unwrap, verify, verifyThin, sign, isTest };

function secondsOf(time: Date | number): number {
  const seconds = Math.floor(time.valueOf() / 1000);
  if (Number.isNaN(seconds)) throw new TypeError("a time must be a Date or milliseconds");
  return seconds;
}

function readBody(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  // A byte array of another realm, as test runners have them, is no instance of ours.
  if (typeof body === "string" || ArrayBuffer.isView(body)) return bytes(body);
  throw new TypeError(
    "the body must be the text or the bytes that arrived, not what became of them",
  );
}

function readSecrets(secrets: Secrets): Uint8Array<ArrayBuffer>[] {
  const list = typeof secrets === "string" ? [secrets] : secrets;
  if (Array.isArray(list) && list.length > 0) return list.map(readSecret);
  throw new WebhookVerificationError("malformed_secret", "No secret is given");
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === "string" ? secret.replace(/^whsec_/, "") : "";
  const key = BASE64.test(text) ? Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)) : null;
  // The lengths that Standard Webhooks allows; ours are of 32 bytes.
  if (key && key.length >= 24 && key.length <= 64) return key;
  throw new WebhookVerificationError("malformed_secret", "The secret is not one of an endpoint");
}

function codesOf(
  keys: Uint8Array<ArrayBuffer>[],
  head: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  const start = bytes(head);
  const message = new Uint8Array(start.length + body.length);
  message.set(start);
  message.set(body, start.length);
  return Promise.all(
    keys.map(async (key) => btoa(String.fromCharCode(...new Uint8Array(await hmac(key, message))))),
  );
}

// Compares all of them in constant time.
function anyEqual(given: string[], expected: string[]): boolean {
  let found = false;
  for (const one of given) for (const other of expected) found = equal(one, other) || found;
  return found;
}

function equal(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let place = 0; place < other.length; place += 1) {
    difference |= one.charCodeAt(place) ^ other.charCodeAt(place);
  }
  return difference === 0;
}

const known: Record<DisburseEvent["event"], true> = {
  payoutCreated: true,
  payoutUpdate: true,
  payoutFailure: true,
  receiverKycUpdate: true,
  receiverAccountUpdate: true,
  balanceFunded: true,
  payoutOnHold: true,
  payoutReleased: true,
  webhookEndpointUpdate: true,
  webhookEndpointDisabled: true,
  payoutReturned: true,
  payoutCancelled: true,
  payoutBatchFinished: true,
  receiverCreated: true,
  receiverUpdate: true,
  receiverDeactivated: true,
  receiverAccountCreated: true,
  balanceLow: true,
  monthClosed: true,
};

const readEvent = (body: Uint8Array): DisburseEvent => readKnown(body, "event");
const readThinEvent = (body: Uint8Array): ThinEvent => readKnown(body, "type");

/** `field` names the type. */
function readKnown<Event>(body: Uint8Array, field: "event" | "type"): Event {
  let event: { event?: unknown; type?: unknown } | null;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // The runtime's message would quote the body.
    throw new WebhookVerificationError("not_json", "The body is not JSON in UTF-8");
  }
  const name = event?.[field];
  if (typeof name === "string" && Object.hasOwn(known, name)) return event as Event;
  throw new WebhookVerificationError("unknown_event", `The event is ${JSON.stringify(name)}`);
}
