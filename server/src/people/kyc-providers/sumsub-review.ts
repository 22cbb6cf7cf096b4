// Translates Sumsub's reviews into our outcomes.

import type { ProviderDecision } from "./provider.ts";

const commentCharsMax = 2_000;
const labelsMax = 50;
const labelCharsMax = 100;

export type SumsubFields = Record<string, unknown>;

/** Undefined where the text is not a JSON object. The parser's own complaint would quote it, so it is dropped. */
export function readFields(text: string): SumsubFields | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asFields(value: unknown): SumsubFields | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as SumsubFields) : undefined;
}

/** An applicant's id is part of paths and of our keys: letters and digits, as theirs are, and not many. */
export function isApplicantId(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9]{1,64}$/.test(value);
}

/** The review's answer counts once the check is completed; before that it is the one of an earlier attempt. */
export function decisionOf(reviewStatus: unknown, reviewResult: unknown): ProviderDecision {
  if (reviewStatus !== "completed" && reviewStatus !== "onHold") {
    return { outcome: "pending", labels: [], publicComment: "", privateComment: "" };
  }
  const result = asFields(reviewResult) ?? {};
  const labels = Array.isArray(result.rejectLabels) ? result.rejectLabels : [];
  return {
    outcome: reviewStatus === "onHold" ? "on_hold" : outcomeOf(result),
    labels: labels.slice(0, labelsMax).map((label) => plain(label, labelCharsMax)),
    publicComment: plain(result.moderationComment, commentCharsMax),
    privateComment: plain(result.clientComment, commentCharsMax),
  };
}

/** Any review that is neither a clear yes nor a clear no needs a user. Labels explain; they decide nothing. */
function outcomeOf({ reviewAnswer, reviewRejectType }: SumsubFields): ProviderDecision["outcome"] {
  if (reviewAnswer === "GREEN") return "approved";
  if (reviewAnswer !== "RED") return "on_hold";
  if (reviewRejectType === "FINAL") return "rejected";
  return reviewRejectType === "RETRY" ? "retry" : "on_hold";
}

/** Counted in whole characters, so that none is cut in two. */
function plain(value: unknown, charsMax: number): string {
  if (typeof value !== "string") return "";
  const oneLine = value.toWellFormed().replace(/\p{Cc}+/gu, " ");
  return Array.from(oneLine.trim()).slice(0, charsMax).join("");
}
