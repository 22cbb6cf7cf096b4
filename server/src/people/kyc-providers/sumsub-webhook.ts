// Reads Sumsub's webhooks: verifies that Sumsub sent one, and what it reports about a check.

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { ProviderDecision, ProviderWebhook, Report } from "./provider.ts";
import { decisionOf, isApplicantId, readFields, type SumsubFields } from "./sumsub-review.ts";

/** Sumsub also offers HMAC_SHA1_HEX. It is refused: there is no need to trust SHA-1 any more. */
const algorithms: ReadonlyMap<unknown, string> = new Map([
  ["HMAC_SHA256_HEX", "sha256"],
  ["HMAC_SHA512_HEX", "sha512"],
]);

type SumsubWebhookOptions = { webhookSecret: string; levelName: string };

export function sumsubWebhook({
  webhookSecret: secret,
  levelName,
}: SumsubWebhookOptions): ProviderWebhook {
  if (secret === "") throw new Error("With an empty secret, anybody could sign.");
  return {
    verify(body, headers) {
      const algorithm = algorithms.get(headers["x-payload-digest-alg"]);
      const given = headers["x-payload-digest"];
      if (algorithm === undefined || typeof given !== "string") return false;
      return isSame(given, createHmac(algorithm, secret).update(body).digest("hex"));
    },
    parse(body) {
      const event = readFields(body.toString("utf8"));
      // A pass of another level, perhaps a lower one, does not count.
      const isOurs = event?.levelName === undefined || event.levelName === levelName;
      return isOurs ? parse(body, event) : undefined;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [first, second] = [Buffer.from(given), Buffer.from(expected)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function parse(body: Buffer, event: SumsubFields | undefined): Report | undefined {
  if (typeof event?.type !== "string") throw new Error("This is not an event of Sumsub's.");
  const decision = decisionIn(event);
  if (!decision) return undefined;
  const { type, applicantId, externalUserId, correlationId } = event;
  if (!isApplicantId(applicantId)) throw new Error(`${type}: no applicant is named.`);
  const { text, ms } = timeOf(event);
  return {
    // One correlation id may lead to several events. Without one, the bytes identify the event.
    eventId: fitsIntoKey(correlationId)
      ? `${type}:${correlationId}:${text}`
      : `${type}:${hash("sha256", body)}`,
    applicantId,
    receiverId: typeof externalUserId === "string" ? externalUserId : undefined,
    occurredAtMs: ms,
    decision,
  };
}

/** Undefined for the many events that change nothing about a check. */
function decisionIn({
  type,
  reviewStatus,
  reviewResult,
}: SumsubFields): ProviderDecision | undefined {
  switch (type) {
    case "applicantReviewed":
      return decisionOf(reviewStatus ?? "completed", reviewResult);
    case "applicantOnHold":
      return decisionOf("onHold", reviewResult);
    case "applicantPrechecked":
      return decisionOf("prechecked", undefined);
    case "applicantReset":
      // The check restarts, which is our `retry`.
      return { outcome: "retry", labels: ["RESET"], publicComment: "", privateComment: "" };
    default:
      return undefined;
  }
}

function fitsIntoKey(correlationId: unknown): correlationId is string {
  return typeof correlationId === "string" && /^[\x21-\x7e]{1,128}$/.test(correlationId);
}

/** Always UTC: `createdAtMs` is "2020-02-21 13:23:19.321", and `createdAt` "2020-02-21 13:23:19+0000". */
function timeOf({ type, createdAtMs, createdAt }: SumsubFields): { text: string; ms: number } {
  const text = String(createdAtMs ?? createdAt);
  const toMs = createdAtMs == null ? text.replace(/\+0000$/, ".000") : text;
  const iso = `${toMs.replace(" ", "T")}Z`;
  const ms = Date.parse(iso);
  // The parser would read 31 February as a day in March, so the result is compared with the input.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== iso) {
    throw new Error(`${type}: its time can't be read.`);
  }
  return { text, ms };
}
