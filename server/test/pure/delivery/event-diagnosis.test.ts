// Diagnosis of deliveries that do not verify: each cause is found.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CapturedRequest, diagnose } from "../../../src/webhooks/diagnosis/diagnose.ts";
import { payoutCreated, payoutFailure } from "../../../src/webhooks/events/outbox.ts";
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { signDelivery, webhookKey } from "../../../src/webhooks/webhook-signature/sign.ts";
import {
  bodies,
  facts,
  type Names,
  nowMs,
  secret,
  send,
  timestampS,
} from "../../support/event-deliveries.ts";

function diagnosed(sent: { headers: Record<string, string>; body: Buffer }, secrets = [secret]) {
  const headers = Object.entries(sent.headers) as CapturedRequest["headers"];
  return diagnose({ headers, body: sent.body }, secrets, nowMs);
}

const causesOf = (...input: Parameters<typeof diagnosed>) =>
  diagnosed(...input).causes.map(({ cause }) => cause);

/** The only cause, and its text. */
function only(...input: Parameters<typeof diagnosed>): [string, string] {
  const { verifies, causes } = diagnosed(...input);
  expect([verifies, causes.length]).toEqual([false, 1]);
  expect(causes[0]?.cure).toMatch(/\.$/);
  return [causes[0]?.cause as string, causes[0]?.text as string];
}

test.each(bodies)("an unchanged delivery verifies: %s", (body) => {
  const { verifies, causes, findings } = diagnosed(send(body), [newWebhookSecret(), secret]);
  expect([verifies, causes]).toEqual([true, []]);
  expect(findings).toContainEqual({ what: "signature", found: "made with secret 2" });
  expect(findings).toContainEqual({ what: "age", found: "2 s" });
  expect(findings.find(({ what }) => what === "body")?.found).toMatch(/, \w+, as we write it$/);
});

type Alteration = [expected: string, alter: (text: string) => string | Buffer];
const parsed = (text: string) => JSON.parse(text);
const sorted = (text: string) =>
  Object.fromEntries(Object.entries(parsed(text)).sort(([a], [b]) => (a < b ? -1 : 1)));
const escapedForHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const alterations: Alteration[] = [
  ["a line break was added at its end", (text) => `${text}\n`],
  ["a line break was added at its end", (text) => `${text}\r\n`],
  ["white space was added around it", (text) => ` ${text}`],
  ["a byte order mark was put before it", (text) => `\uFEFF${text}`],
  ["it was pretty-printed", (text) => JSON.stringify(parsed(text), null, 2)],
  ["it was pretty-printed", (text) => `${JSON.stringify(parsed(text), null, "\t")}\n`],
  [
    "it was pretty-printed",
    (text) => JSON.stringify(parsed(text), null, 4).replaceAll("\n", "\r\n"),
  ],
  [
    "it was parsed and written again, with spaces after colons or commas",
    (text) => JSON.stringify(parsed(text), null, 1).replaceAll(/\n\s*/g, " "),
  ],
  [
    "it was parsed and written again, with \\/ for every slash",
    (text) => text.replaceAll("/", "\\/"),
  ],
  [
    "it was parsed and written again, with \\u for characters",
    (text) => text.replaceAll("é", "\\u00e9").replaceAll("’", "\\u2019"),
  ],
  ["its keys were sorted", (text) => JSON.stringify(sorted(text))],
  [
    "its keys were put in another order",
    (text) => JSON.stringify(Object.fromEntries(Object.entries(parsed(text)).reverse())),
  ],
  [
    "subccount_id was corrected to subaccount_id",
    (text) => text.replace("subccount_id", "subaccount_id"),
  ],
  ["it was escaped for HTML", escapedForHtml],
  ["it was read as Latin-1 and written as UTF-8", (text) => Buffer.from(text).toString("latin1")],
  [
    "it was read as Windows-1252 and written as UTF-8",
    (text) => new TextDecoder("windows-1252").decode(Buffer.from(text)),
  ],
  ["it was put into a JSON text", (text) => JSON.stringify(text)],
  ["it was encoded in base64", (text) => Buffer.from(text).toString("base64")],
  [
    "the types of its values were changed",
    (text) =>
      text.replace(/"timestamp":"?(\d+)"?/, (all, ms) => {
        return `"timestamp":${all.endsWith('"') ? ms : `"${ms}"`}`;
      }),
  ],
  ["fields were added", (text) => JSON.stringify({ ...parsed(text), received_at: 1 })],
];

describe("altered_body", () => {
  test.each(alterations)("%s (%#)", (expected, alter) => {
    for (const body of bodies) {
      const sent = send(body);
      const altered = Buffer.from(alter(body) as string);
      if (altered.equals(sent.body)) continue; // This event has no such character.
      const [cause, text] = only({ ...sent, body: altered });
      expect(cause).toBe("altered_body");
      expect(text).toBe(`The body was altered: ${expected}.`);
    }
  });

  test("it was written as Latin-1", () => {
    const body = payoutCreated(facts("Müller & Söhne")).body;
    const sent = { ...send(body), body: Buffer.from(body, "latin1") };
    expect(only(sent)).toEqual([
      "altered_body",
      "The body was altered: it was written as Latin-1.",
    ]);
  });

  test("the line break at its end was removed", () => {
    const sent = send(`${bodies[0]}\n`);
    const text = "The body was altered: the line break at its end was removed.";
    const body = sent.body.subarray(0, -1);
    expect(only({ ...sent, body })).toEqual(["altered_body", text]);
  });

  test("several changes are listed in the order in which they happened", () => {
    const sent = send();
    const sane = JSON.stringify(sorted(sent.body.toString()), null, 2);
    const body = Buffer.from(`\uFEFF${sane.replace("subccount_id", "subaccount_id")}`);
    const [, text] = only({ ...sent, body });
    expect(text).toContain("its keys were sorted; then ");
    expect(text).toContain("it was pretty-printed");
    expect(text).toContain("subccount_id was corrected to subaccount_id");
    expect(text).toMatch(/; then a byte order mark was put before it\.$/);
  });

  test("any two changes are found, whatever the reference contains", () => {
    const anyAlteration = fc.constantFrom(...alterations.map(([, alter]) => alter));
    const anyReference = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(anyReference, anyAlteration, fc.boolean(), (reference, alter, hasBreak) => {
        const sent = send(payoutFailure(facts(reference), "closed").body);
        const text = Buffer.from(alter(sent.body.toString()) as string).toString();
        const body = Buffer.from(hasBreak ? `${text}\n` : text);
        const isSame = body.equals(sent.body);
        expect(causesOf({ ...sent, body })).toEqual(isSame ? [] : ["altered_body"]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("no_match", () => {
  test("a wrong secret and a body as we write it: the secret is the cause", () => {
    const [cause, text] = only(send(), [newWebhookSecret()]);
    expect(cause).toBe("no_match");
    expect(text).toContain("the secret is another endpoint's, or an old one");
  });

  test.each([
    [(text: string) => text.slice(0, -20), "not as we write it"],
    [(text: string) => text.replace("é", "\uFFFD"), "characters of the body were lost"],
    [(text: string) => text.replace("12500", "99999"), "looks as we write it"],
    [() => "", "is empty"],
  ])("a body that can't be restored: %s", (alter, expected) => {
    const sent = send();
    const [cause, text] = only({ ...sent, body: Buffer.from(alter(sent.body.toString())) });
    expect(cause).toBe("no_match");
    expect(text).toContain(expected);
  });

  test("a body of megabytes is diagnosed without a search", () => {
    const body = Buffer.alloc(5_000_000, "x");
    expect(only({ ...send(), body })[0]).toBe("no_match");
  });
});

describe("headers", () => {
  const names: Names[] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

  test.each(names)("missing_header: %s is named, with the header that is there instead", (name) => {
    const sent = send();
    const { [name]: value, ...others } = sent.headers;
    expect(only({ ...sent, headers: others })).toEqual(["missing_header", `${name} is missing.`]);
    expect(only({ ...sent, headers: { ...others, [name]: "" } })[1]).toBe(`${name} is empty.`);
    const similar = [name.replace("-", "_"), `HTTP_${name.toUpperCase()}`, `X-${name}`];
    for (const other of similar) {
      const [cause, text] = only({ ...sent, headers: { ...others, [other]: value } });
      expect([cause, text]).toEqual([
        "missing_header",
        `${name} is missing; there is ${other} instead.`,
      ]);
    }
  });

  test("names may have any case", () => {
    const { headers, body } = send();
    const upper = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v]));
    expect(diagnosed({ headers: upper, body }).verifies).toBe(true);
  });

  function withHeader(name: Names, change: (value: string) => string) {
    const sent = send();
    return { ...sent, headers: { ...sent.headers, [name]: change(sent.headers[name]) } };
  }

  test.each([
    ["is in milliseconds", `${timestampS}123`],
    ["something else than whole seconds", `${timestampS}.5`],
    ["something else than whole seconds", "2024-11-15T00:00:00Z"],
    ["is no time", "now"],
  ])("malformed_timestamp: %s", (expected, value) => {
    const [cause, text] = only(withHeader("webhook-timestamp", () => value));
    expect(cause).toBe("malformed_timestamp");
    expect(text).toContain(expected);
  });

  test.each<[string, (value: string) => string]>([
    ["a signature can be read", (value) => value.slice(3)],
    ["a signature can be read", (value) => value.replace(",", "=")],
    ["a signature can be read", (value) => encodeURIComponent(value)],
    ["a signature can be read", (value) => Buffer.from(value.slice(3), "base64").toString("hex")],
    ["no signature is in it", (value) => value.slice(0, 20)],
    ["no signature is in it", () => "v2,AAAA"],
  ])("malformed_signature: %s (%#)", (expected, change) => {
    const [cause, text] = only(withHeader("webhook-signature", change));
    expect(cause).toBe("malformed_signature");
    expect(text).toContain(expected);
  });

  test("malformed_signature: a plus that became a space is read as a plus", () => {
    let sent = send();
    while (!sent.headers["webhook-signature"].includes("+")) sent = send();
    const signature = sent.headers["webhook-signature"].replaceAll("+", " ");
    const headers = { ...sent.headers, "webhook-signature": signature };
    expect(only({ ...sent, headers })[0]).toBe("malformed_signature");
  });

  test.each<[string, (value: string) => string]>([
    ["evt_ is missing", (value) => value.slice(4)],
    ["evt_ is missing", (value) => value.slice(4).replaceAll("-", "")],
    ["quotes or capitals", (value) => `"${value}"`],
    ["quotes or capitals", (value) => value.toUpperCase()],
    ["another way", (value) => `${value}, ${value}`],
  ])("altered_id: %s (%#)", (expected, change) => {
    const [cause, text] = only(withHeader("webhook-id", change));
    expect(cause).toBe("altered_id");
    expect(text).toContain(expected);
  });
});

describe("malformed_secret", () => {
  const bytes = Buffer.from(secret.slice(6), "base64");

  test.each([
    ["has quotes around it", `"${secret}"`],
    ["has quotes around it", `'${secret}'`],
    ["has white space around it", `${secret}\n`],
    ["has a name and = before it", `SECRET=${secret}`],
    ["is in hex, not in base64", bytes.toString("hex")],
    ["is in hex, not in base64", `whsec_${bytes.toString("hex")}`],
    ["lacks the = at its end", secret.slice(0, -1)],
    ["has characters in it that are not base64", `${secret.slice(0, 20)}\n${secret.slice(20)}`],
    ["is the secret of an API key (sk_…)", "sk_test_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"],
    ["is an API key (ak_…)", "ak_live_abcdefghijklmnopqrstuvwx"],
    ["something is missing", secret.slice(0, 20)],
    ["something is missing", "whsec_"],
  ])("%s (%#)", (expected, given) => {
    const [cause, text] = only(send(), [given]);
    expect(cause).toBe("malformed_secret");
    expect(text).toContain(expected);
  });

  test("is in base64url", () => {
    let other = newWebhookSecret();
    while (!/[+/]/.test(other)) other = newWebhookSecret();
    const { headers, body } = send();
    const id = headers["webhook-id"];
    const signature = signDelivery([webhookKey(other)], { id, timestampS, body });
    const url = other.replaceAll("+", "-").replaceAll("/", "_");
    const sent = { headers: { ...headers, "webhook-signature": signature }, body };
    expect(only(sent, [url])[1]).toContain("is in base64url");
  });

  test("is ignored beside a valid secret", () => {
    expect(causesOf(send(), ["sk_test_x", secret])).toEqual([]);
    expect(causesOf(send(), [`whsec_${secret.slice(6).toLowerCase()}`, "x"])).toEqual(["no_match"]);
  });

  test("is never repeated", () => {
    for (const given of [secret, `"${secret}"`, bytes.toString("hex"), "sk_test_confidential"]) {
      const said = JSON.stringify(diagnosed(send(), [given]));
      for (const text of [secret.slice(6, 40), bytes.toString("hex"), "confidential"]) {
        expect(said).not.toContain(text);
      }
    }
  });
});

test.each([
  [300, []],
  [301, ["too_old"]],
  [-300, []],
  [-301, ["in_future"]],
])("sent %i s ago: %j", (ageS, expected) => {
  const { headers, body } = send();
  const captured = { headers: Object.entries(headers), body };
  const { causes } = diagnose(captured, [secret], (timestampS + ageS) * 1000);
  expect(causes.map(({ cause }) => cause)).toEqual(expected);
  if (causes[0]) expect(causes[0].text).toMatch(/^The signature matches, but it is 1 s too /);
});
