// Sumsub's webhooks: which bytes are accepted, and how they are read.

import { createHmac, hash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WebhookHeaders } from "../../../src/people/kyc-providers/provider.ts";
import { sumsubWebhook } from "../../../src/people/kyc-providers/sumsub-webhook.ts";
import { startSumsub } from "../../support/sumsub-server.ts";

const levelName = "basic-kyc-level";
const webhook = sumsubWebhook({ webhookSecret: "whsec_test", levelName });

/** Copied from Sumsub's documentation, byte for byte. */
const published = {
  applicantId: "5cb56e8e0a975a35f333cb83",
  inspectionId: "5cb56e8e0a975a35f333cb84",
  correlationId: "req-a260b669-4f14-4bb5-a4c5-ac0218acb9a4",
  externalUserId: "externalUserId",
  levelName: "basic-kyc-level",
  type: "applicantReviewed",
  reviewResult: { reviewAnswer: "GREEN" },
  reviewStatus: "completed",
  createdAtMs: "2020-02-21 13:23:19.321",
};
const body = Buffer.from(JSON.stringify(published));
const publishedMs = Date.UTC(2020, 1, 21, 13, 23, 19, 321);
const sha1 = "e58fd004f3936787c4614ecaeeba06a89654551d";
const sha256 = "3195b00fcc686c5774b99b78b9ccf04e927e1b3955a112ab8ef9f73536a4d320";

const signed = (digest: string, algorithm = "HMAC_SHA256_HEX"): WebhookHeaders => ({
  "x-payload-digest": digest,
  "x-payload-digest-alg": algorithm,
});
const parse = (event: unknown) => webhook.parse(Buffer.from(JSON.stringify(event)));
const parseWith = (changes: Record<string, unknown>) => parse({ ...published, ...changes });
const decisionWith = (changes: Record<string, unknown>) => parseWith(changes)?.decision;

describe("a report is accepted", () => {
  test("with the published digest, and with one by SHA-512", () => {
    expect(webhook.verify(body, signed(sha256))).toBe(true);
    const sha512 = createHmac("sha512", "whsec_test").update(body).digest("hex");
    expect(webhook.verify(body, signed(sha512, "HMAC_SHA512_HEX"))).toBe(true);
  });

  test.each<[string, WebhookHeaders]>([
    ["the digest by SHA-1, right as it is", signed(sha1, "HMAC_SHA1_HEX")],
    ["an unsupported algorithm", signed(sha256, "MD5")],
    ["an algorithm in lower case", signed(sha256, "hmac_sha256_hex")],
    ["an algorithm called like a property", signed(sha256, "constructor")],
    ["another algorithm's digest", signed(sha256, "HMAC_SHA512_HEX")],
    ["a digest in upper case", signed(sha256.toUpperCase())],
    ["half a digest", signed(sha256.slice(0, 32))],
    ["an empty digest", signed("")],
    ["a digest as long as the right one, in characters but not in bytes", signed("é".repeat(64))],
    ["no headers", {}],
    ["no digest", { "x-payload-digest-alg": "HMAC_SHA256_HEX" }],
    ["no algorithm", { "x-payload-digest": sha256 }],
    ["the digest twice", { ...signed(sha256), "x-payload-digest": [sha256, sha256] }],
    ["the digest twice, joined", signed(`${sha256}, ${sha256}`)],
    [
      "the algorithm twice",
      { ...signed(sha256), "x-payload-digest-alg": ["HMAC_SHA256_HEX", "HMAC_SHA256_HEX"] },
    ],
  ])("not with %s", (_with, headers) => {
    expect(webhook.verify(body, headers)).toBe(false);
  });

  test("not with an added space, or without a body", () => {
    expect(webhook.verify(Buffer.concat([body, Buffer.from(" ")]), signed(sha256))).toBe(false);
    expect(webhook.verify(Buffer.alloc(0), signed(sha256))).toBe(false);
  });

  test("not with another secret, and an empty secret throws", () => {
    expect(
      sumsubWebhook({ webhookSecret: "whsec_test ", levelName }).verify(body, signed(sha256)),
    ).toBe(false);
    expect(() => sumsubWebhook({ webhookSecret: "", levelName })).toThrow("anybody could sign");
  });

  test("not with any byte of the body or the digest changed", () => {
    const changed = (bytes: Buffer, at: number, by: number) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8((copy.readUInt8(at) ^ by) & 0xff, at);
      return copy;
    };
    const byte = fc.integer({ min: 1, max: 255 });
    fc.assert(
      fc.property(fc.nat(body.length - 1), byte, (at, by) => {
        expect(webhook.verify(changed(body, at, by), signed(sha256))).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.nat(sha256.length - 1), byte, (at, by) => {
        const digest = changed(Buffer.from(sha256), at, by).toString("latin1");
        expect(webhook.verify(body, signed(digest))).toBe(false);
      }),
    );
  });
});

describe("a report contains", () => {
  const nothing = { labels: [], publicComment: "", privateComment: "" };

  test("receiver, time and outcome, as published", () => {
    expect(webhook.parse(body)).toEqual({
      eventId: "applicantReviewed:req-a260b669-4f14-4bb5-a4c5-ac0218acb9a4:2020-02-21 13:23:19.321",
      applicantId: "5cb56e8e0a975a35f333cb83",
      receiverId: "externalUserId",
      occurredAtMs: publishedMs,
      decision: { outcome: "approved", ...nothing },
    });
  });

  test("no receiver where Sumsub names none", () => {
    expect(parseWith({ externalUserId: undefined })?.receiverId).toBeUndefined();
  });

  const red = { reviewAnswer: "RED", rejectLabels: ["FORGERY"] };
  test.each([
    ["applicantReviewed", { reviewAnswer: "GREEN" }, "approved"],
    ["applicantReviewed", { ...red, reviewRejectType: "FINAL" }, "rejected"],
    ["applicantReviewed", { ...red, reviewRejectType: "RETRY" }, "retry"],
    ["applicantReviewed", red, "on_hold"],
    ["applicantReviewed", { reviewAnswer: "YELLOW" }, "on_hold"],
    ["applicantReviewed", undefined, "on_hold"],
    ["applicantReviewed", ["GREEN"], "on_hold"],
    ["applicantOnHold", { ...red, reviewRejectType: "FINAL" }, "on_hold"],
    ["applicantOnHold", { reviewAnswer: "GREEN" }, "on_hold"],
    ["applicantPrechecked", { reviewAnswer: "GREEN" }, "pending"],
  ])("%s with %j: %s", (type, reviewResult, outcome) => {
    expect(decisionWith({ type, reviewResult })?.outcome).toBe(outcome);
  });

  test.each(["onHold", "pending", "init", "surprise"])(
    "no outcome of a review that is %s rather than completed",
    (reviewStatus) => {
      const outcome = reviewStatus === "onHold" ? "on_hold" : "pending";
      expect(decisionWith({ reviewStatus })).toEqual({ outcome, ...nothing });
    },
  );

  test("a retry for a check that was reset", () => {
    expect(decisionWith({ type: "applicantReset", reviewStatus: "init" })).toEqual({
      ...nothing,
      outcome: "retry",
      labels: ["RESET"],
    });
  });

  test.each([
    "applicantCreated",
    "applicantPending",
    "applicantPersonalInfoChanged",
    "applicantDeleted",
    "applicantDeactivated",
    "applicantActionReviewed",
    "applicantWorkflowCompleted",
    "constructor",
    "",
  ])("no outcome in an event of type %j", (type) => {
    expect(parse({ type, reviewResult: { reviewAnswer: "GREEN" } })).toBeUndefined();
    expect(parseWith({ type })).toBeUndefined();
  });

  test("the applicant's comment for the caller, and the private one for operators", () => {
    const reviewResult = {
      reviewAnswer: "RED",
      reviewRejectType: "RETRY",
      rejectLabels: ["BAD_SELFIE", "EVIL\nLABEL"],
      moderationComment: "Please take another picture.",
      clientComment: "Looks like a\u0000screenshot.",
    };
    expect(decisionWith({ reviewResult })).toEqual({
      outcome: "retry",
      labels: ["BAD_SELFIE", "EVIL LABEL"],
      publicComment: "Please take another picture.",
      privateComment: "Looks like a screenshot.",
    });
  });

  test("the time in UTC, with or without milliseconds", () => {
    const time = (createdAtMs: unknown, createdAt?: unknown) =>
      parseWith({ createdAtMs, createdAt })?.occurredAtMs;
    expect(time("2024-02-29 23:59:59.007")).toBe(Date.UTC(2024, 1, 29, 23, 59, 59, 7));
    expect(time(undefined, "2020-02-21 13:23:19+0000")).toBe(Date.UTC(2020, 1, 21, 13, 23, 19));
    expect(time("2020-02-21 13:23:19.321", "nonsense")).toBe(publishedMs);
  });

  test.each([
    undefined,
    null,
    1_582_291_399_321,
    "",
    "yesterday",
    "2023-02-29 13:23:19.321",
    "2020-02-21 24:00:00.000",
    "2020-02-21 13:23:19",
    "2020-02-21 13:23:19.321+0200",
    "2020-02-21 13:23:19.321 and more",
  ])("no valid time in %j", (createdAtMs) => {
    expect(() => parseWith({ createdAtMs })).toThrow("applicantReviewed: its time can't be read.");
  });

  test.each(["2020-02-21 13:23:19", "2020-02-21 13:23:19+0200", "nonsense"])(
    "nor in %j without milliseconds",
    (createdAt) => {
      expect(() => parseWith({ createdAtMs: undefined, createdAt })).toThrow("time");
    },
  );

  test.each([undefined, 5, "", "../../one", "x".repeat(65)])(
    "no applicant in %j",
    (applicantId) => {
      expect(() => parseWith({ applicantId })).toThrow("applicantReviewed: no applicant is named.");
    },
  );

  test.each(["", "Ada Lovelace", "null", "[]", '"Ada"', "{}", '{"type":7}', '{"type":"Ada'])(
    "no event in %j, and the error does not repeat it",
    (text) => {
      expect(() => webhook.parse(Buffer.from(text))).toThrow(
        /^This is not an event of Sumsub's\.$/,
      );
    },
  );
});

test("no outcome from another level", () => {
  const other = sumsubWebhook({ webhookSecret: "whsec_test", levelName: "another-level" });
  expect(webhook.parse(body)?.decision.outcome).toBe("approved");
  expect(other.parse(body)).toBeUndefined();
});

describe("the id of an event", () => {
  test("is the same for each delivery, and another for another event of one correlation", () => {
    const id = (changes: Record<string, unknown>) => parseWith(changes)?.eventId;
    const ids = [
      id({}),
      id({ type: "applicantOnHold" }),
      id({ createdAtMs: "2020-02-21 13:23:19.322" }),
      id({ correlationId: "req-2" }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(id({})).toBe(ids[0]);
  });

  test.each([undefined, null, 7, "", "x".repeat(129), "a\u0000b", "é"])(
    "is derived from the bytes where the correlation is %j",
    (correlationId) => {
      const bytes = Buffer.from(JSON.stringify({ ...published, correlationId }));
      const eventId = `applicantReviewed:${hash("sha256", bytes)}`;
      expect(webhook.parse(bytes)?.eventId).toBe(eventId);
    },
  );
});

test("reports of the test server are accepted and parsed", async () => {
  const sumsub = await startSumsub();
  const id = "5cb56e8e0a975a35f333cb83";
  const externalUserId = randomUUID();
  const rest = { email: "", phone: "", reviewStatus: "init", fixedInfo: {}, creations: 1 } as const;
  sumsub.applicants.set(id, { id, externalUserId, ...rest });
  sumsub.decide(id, { reviewAnswer: "RED", reviewRejectType: "FINAL" });
  const { verify, parse } = sumsubWebhook(sumsub);
  const report = sumsub.webhook(id, "applicantReviewed");
  expect(verify(report.body, report.headers)).toBe(true);
  expect(parse(report.body)).toMatchObject({
    applicantId: id,
    receiverId: externalUserId,
    decision: { outcome: "rejected" },
  });
  const early = sumsub.webhook(id, "applicantOnHold", { createdAtMs: "2020-02-21 13:23:19.321" });
  expect(parse(early.body)?.occurredAtMs).toBe(publishedMs);
  await sumsub.close();
});
