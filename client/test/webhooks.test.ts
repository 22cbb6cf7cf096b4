// Verification of received events: a valid and recent one is unwrapped, any other is refused with a reason.

import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, expectTypeOf, test } from "vitest";
import {
  Disburse,
  DisburseError,
  type DisburseEvent,
  type WebhookHeaders,
  type WebhookProblem,
  WebhookVerificationError,
  webhooks,
} from "../src/index.ts";
import { apiKey, apiSecret } from "./scripted-server.ts";
import vectors from "./signature-vectors.json" with { type: "json" };

const { events } = vectors.signatures;
const [kyc, failure, foreign] = events as [Vector, Vector, Vector];
type Vector = (typeof events)[number];

const headersOf = ({ id, timestamp, signature }: Vector) => ({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});
const headers = headersOf(kyc);
const sentMs = Number(kyc.timestamp) * 1000;
const asOf = (ageS: number) => ({ now: sentMs + ageS * 1000 });
const onTime = asOf(1);
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

test.each([kyc, failure])("$id is signed and unwrapped as published", async (vector) => {
  const { id, body, secrets, timestamp, signature } = vector;
  const time = new Date(Number(timestamp) * 1000);
  expect(await webhooks.sign({ id, timestamp: time, body, secrets })).toEqual(headersOf(vector));
  for (const secret of secrets) {
    for (const raw of [body, Buffer.from(body)]) {
      const delivery = await webhooks.verify(raw, headersOf(vector), secret, onTime);
      expect(delivery).toEqual({ id, timestamp: time, event: JSON.parse(body), isTest: false });
      const event = await webhooks.unwrap(raw, headersOf(vector), secret, onTime);
      expect(event).toEqual(JSON.parse(body));
    }
  }
  expect(signature.split(" ")).toHaveLength(secrets.length);
});

test("a test event is marked as one, and the mark can't be added or removed", async () => {
  const { body, secrets } = kyc;
  const id = `evt_test_${crypto.randomUUID()}`;
  const signed = await webhooks.sign({ id, body, secrets });
  expect(await webhooks.verify(body, signed, secrets)).toMatchObject({ id, isTest: true });
  expect([webhooks.isTest(id), webhooks.isTest(kyc.id)]).toEqual([true, false]);
  const unmarked = { ...signed, "webhook-id": id.replace("test_", "") };
  await expect(webhooks.verify(body, unmarked, secrets)).rejects.toMatchObject({
    reason: "no_match",
  });
  const marked = { ...headers, "webhook-id": kyc.id.replace("evt_", "evt_test_") };
  await expect(webhooks.verify(body, marked, secrets, onTime)).rejects.toMatchObject({
    reason: "no_match",
  });
});

test("the vector of the public specification gets the specified signature", async () => {
  const { id, body, secrets, timestamp, signature } = foreign;
  const signed = await webhooks.sign({ id, timestamp: Number(timestamp) * 1000, body, secrets });
  expect(signed["webhook-signature"]).toBe(signature);
});

test("disburse.webhooks is the exported webhooks", async () => {
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl: "http://localhost" });
  expect(disburse.webhooks).toBe(webhooks);
});

test("the type of an event is narrowed by its name", async () => {
  const event = await webhooks.unwrap(failure.body, headersOf(failure), failure.secrets, onTime);
  expectTypeOf(event).toEqualTypeOf<DisburseEvent>();
  if (event.event !== "payoutFailure") throw new Error("another event");
  expectTypeOf(event.timestamp).toEqualTypeOf<string>();
  expect([event.cause, event.timestamp]).toEqual(["account closed", "1731628799123"]);
});

test("the public library and this one verify each other's signatures, with any body", async () => {
  const anyBody = fc.string({ unit: "binary", maxLength: 500 }).map((reference) => {
    return JSON.stringify({ event: "payoutCreated", reference });
  });
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const secret = newSecret();
      const library = new Webhook(secret);
      const signed = await webhooks.sign({ body, secrets: secret });
      expect(library.verify(body, signed)).toEqual(JSON.parse(body));

      const now = new Date();
      const others = { ...signed, "webhook-signature": library.sign("evt_1", now, body) };
      const sent = { ...others, "webhook-id": "evt_1", "webhook-timestamp": String(seconds(now)) };
      expect(await webhooks.unwrap(body, sent, secret)).toEqual(JSON.parse(body));
    }),
    { numRuns: 200 },
  );
});

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

const kinds: [string, WebhookHeaders][] = [
  ["a Headers", new Headers(headers)],
  ["a record", headers],
  ["names in capitals", renamed((name) => name.toUpperCase())],
  ["names as Go writes them", renamed((name) => name.replace(/\b./g, (c) => c.toUpperCase()))],
  ["lists of values", Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]]))],
  ["pairs", Object.entries(headers)],
  ["a Map", new Map(Object.entries(headers))],
  ["others beside them", { ...headers, host: "a", "set-cookie": ["a", "b"], te: undefined }],
];

function renamed(change: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
}

test.each(kinds)("headers may be %s", async (_, given) => {
  const event = await webhooks.unwrap(kyc.body, given, kyc.secrets, onTime);
  expect(event.event).toBe("receiverKycUpdate");
});

test("headers may be Node's (checked by tsc)", () => {
  expectTypeOf<IncomingHttpHeaders>().toExtend<WebhookHeaders>();
});

test("a signature is found in one of two headers, and beside other signatures", async () => {
  const signature = headers["webhook-signature"];
  for (const given of [`v1a,AAAA ${signature}`, ["v1,AAAA", signature], `${signature}, v2,x`]) {
    const split = { ...headers, "webhook-signature": given };
    await webhooks.unwrap(kyc.body, split, kyc.secrets, onTime);
  }
});

test("a secret may lack its prefix, and one matching secret of several is enough", async () => {
  const bare = kyc.secrets[0]?.replace("whsec_", "") as string;
  for (const secrets of [bare, [newSecret(), bare], [bare, newSecret()]]) {
    await webhooks.unwrap(kyc.body, headers, secrets, onTime);
  }
});

test("a Uint8Array of another realm is accepted", async () => {
  const list = JSON.stringify([...Buffer.from(kyc.body)]);
  const bytes = runInNewContext(`new Uint8Array(${list})`);
  await webhooks.unwrap(bytes, headers, kyc.secrets, onTime);
});

test.each([
  [300, undefined],
  [-300, undefined],
  [301, "too_old"],
  [-301, "in_future"],
])("sent %i s ago: %s", async (ageS, reason) => {
  const unwrapped = webhooks.unwrap(kyc.body, headers, kyc.secrets, asOf(ageS));
  expect(
    await unwrapped.then(
      () => undefined,
      ({ reason }) => reason,
    ),
  ).toBe(reason);
});

test("the tolerance can be set", async () => {
  const unwrap = (ageS: number, toleranceS: number) =>
    webhooks.unwrap(kyc.body, headers, kyc.secrets, { ...asOf(ageS), toleranceS });
  await unwrap(86_400, 86_400);
  await unwrap(1_000_000, Number.POSITIVE_INFINITY);
  await expect(unwrap(1, 0)).rejects.toMatchObject({ reason: "too_old" });
  await expect(unwrap(0, Number.NaN)).rejects.toThrow(TypeError);
  await expect(unwrap(0, -1)).rejects.toThrow(TypeError);
  await expect(unwrap(Number.NaN, 300)).rejects.toThrow(TypeError);
});

type Given = { body?: string; headers?: WebhookHeaders; secrets?: string | string[] };
const secret = kyc.secrets[0] as string;
const without = (name: string) => Object.entries(headers).filter(([other]) => other !== name);
const withHeader = (name: string, value: string) => ({ headers: { ...headers, [name]: value } });

const refused: [WebhookProblem, string, Given][] = [
  ["missing_header", "no id", { headers: without("webhook-id") }],
  ["missing_header", "no timestamp", { headers: without("webhook-timestamp") }],
  ["missing_header", "no signature", { headers: without("webhook-signature") }],
  ["missing_header", "an empty one", withHeader("webhook-signature", "")],
  ["missing_header", "none at all", { headers: {} }],
  ["malformed_timestamp", "milliseconds", withHeader("webhook-timestamp", `${sentMs}`)],
  ["malformed_timestamp", "a date", withHeader("webhook-timestamp", "2024-11-15T00:00:00Z")],
  ["malformed_timestamp", "an exponent", withHeader("webhook-timestamp", "17e8")],
  ["malformed_timestamp", "a sign", withHeader("webhook-timestamp", "-1731628800")],
  ["malformed_signature", "no version", withHeader("webhook-signature", kyc.signature.slice(3))],
  ["malformed_signature", "another version", withHeader("webhook-signature", "v2,AAAA")],
  ["malformed_signature", "cut off", withHeader("webhook-signature", kyc.signature.slice(0, -3))],
  ["malformed_secret", "none", { secrets: [] }],
  ["malformed_secret", "empty", { secrets: "" }],
  ["malformed_secret", "a prefix alone", { secrets: "whsec_" }],
  ["malformed_secret", "quotes", { secrets: `"${secret}"` }],
  ["malformed_secret", "a line break", { secrets: `${secret}\n` }],
  ["malformed_secret", "no padding", { secrets: secret.slice(0, -1) }],
  ["malformed_secret", "an API secret", { secrets: apiSecret }],
  ["malformed_secret", "one of two", { secrets: [secret, "whsec_x"] }],
  ["no_match", "another secret", { secrets: newSecret() }],
  ["no_match", "another id", withHeader("webhook-id", kyc.id.slice(4))],
  ["no_match", "two ids", { headers: [...Object.entries(headers), ["webhook-id", kyc.id]] }],
  ["no_match", "another time", withHeader("webhook-timestamp", "1731628801")],
  ["no_match", "another signature", headersFrom(failure)],
  ["no_match", "another body", { body: failure.body }],
  ["no_match", "a line break after the body", { body: `${kyc.body}\n` }],
  ["no_match", "JSON serialised again", { body: JSON.stringify(JSON.parse(kyc.body), null, 2) }],
  ["no_match", "an empty body", { body: "" }],
];

function headersFrom({ signature }: Vector): Given {
  return withHeader("webhook-signature", signature);
}

test.each(refused)("%s: %s", async (reason, _, given) => {
  const input = { body: kyc.body, headers, secrets: kyc.secrets, ...given };
  const unwrapped = webhooks.unwrap(input.body, input.headers, input.secrets, onTime);
  const error = await unwrapped.catch((error) => error);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(error).toBeInstanceOf(DisburseError);
  expect(error).toMatchObject({
    reason,
    name: "WebhookVerificationError",
    code: "WEBHOOK_REFUSED",
  });
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason, message: error.message });
  // The message also says what to do. It contains neither the secret nor the body.
  expect(error.message).toMatch(new RegExp(`\\(${reason}\\)\\. [A-Z].{20}`));
  const everything = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
  for (const one of [secret, secret.slice(6), input.body]) {
    if (one) expect(everything).not.toContain(one);
  }
});

test.each([
  ["not_json", "not JSON"],
  ["not_json", ""],
  ["not_json", Buffer.from([0x22, 0xff, 0x22])],
  ["unknown_event", `{"event":"payoutReversed"}`],
  ["unknown_event", `{"event":"toString"}`],
  ["unknown_event", `{"test":1}`],
  ["unknown_event", "null"],
  ["unknown_event", "[]"],
])("%s: %j is refused, although its signature is right", async (reason, body) => {
  const signed = await webhooks.sign({ body, secrets: secret });
  const error = await webhooks.unwrap(body, signed, secret).catch((error) => error);
  expect(error).toMatchObject({ reason });
  expect(error.message).toContain("The signature is right");
  expect(inspect(error)).not.toContain("not JSON\n");
});

test("a delivery with any byte changed is refused", async () => {
  const inputs = [kyc.body, ...Object.values(headers)];
  let [tried, accepted] = [0, 0];
  for (const [index, input] of inputs.entries()) {
    for (let place = 0; place < input.length; place += 1) {
      const given = [...inputs] as [string, string, string, string];
      const other = input[place] === "1" ? "2" : "1";
      given[index] = input.slice(0, place) + other + input.slice(place + 1);
      const [body, id, timestamp, signature] = given;
      const sent = headersOf({ ...kyc, id, timestamp, signature });
      tried += 1;
      await webhooks.unwrap(body, sent, secret, { toleranceS: Number.POSITIVE_INFINITY }).then(
        () => {
          accepted += 1;
        },
        (error) => expect(error).toBeInstanceOf(WebhookVerificationError),
      );
    }
  }
  expect(tried).toBeGreaterThan(250);
  expect(accepted).toBe(0);
});

test("a body that was already parsed throws a TypeError with an explanation", async () => {
  const parsed = JSON.parse(kyc.body);
  await expect(webhooks.unwrap(parsed, headers, secret)).rejects.toThrow(TypeError);
  await expect(webhooks.unwrap(parsed, headers, secret)).rejects.toThrow("that arrived");
  const none = undefined as unknown as Headers;
  await expect(webhooks.unwrap(kyc.body, none, secret)).rejects.toThrow(TypeError);
});

test("id and time are generated if they are not given, and each id is new", async () => {
  const input = { body: "{}", secrets: [secret, newSecret()] };
  const [one, other] = await Promise.all([webhooks.sign(input), webhooks.sign(input)]);
  expect(one["webhook-id"]).toMatch(/^evt_[0-9a-f]{8}-[0-9a-f-]{27}$/);
  expect(one["webhook-id"]).not.toBe(other["webhook-id"]);
  expect(Math.abs(Number(one["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(10);
  expect(one["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
});
