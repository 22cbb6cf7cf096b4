// The identity check of test subaccounts: the email decides the outcome, after a delay.

import { systemClock } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type Applicant,
  type LocalProvider,
  localApplicantId,
  type ProviderDecision,
} from "./provider.ts";

export function sandboxProvider({ delayMs }: { delayMs: number }): LocalProvider {
  return {
    name: "sandbox",
    applicantIdFor: localApplicantId,
    askAfterMs: delayMs,
    askAgainMs: undefined,
    getStatus: async (_id, applicant) => decide(applicant),
    // The host is reserved for examples, so the link opens nothing. The test helper decides the check.
    personLink: async ({ receiverId }) => ({
      url: `https://identity-check.example/sandbox/${receiverId}`,
      expiresAtMs: systemClock() + limits.personLinkMs,
    }),
  };
}

function decide({ email }: Applicant): ProviderDecision {
  const magic = /^kyc-(pass|fail|pending)\+/i.exec(email)?.[1]?.toLowerCase();
  const said = { labels: [], publicComment: "", privateComment: "" };
  if (magic === "pending") return { ...said, outcome: "pending" };
  if (magic === "fail") {
    const publicComment = "The sandbox refuses addresses that begin with kyc-fail+.";
    return { outcome: "rejected", labels: ["SANDBOX"], publicComment, privateComment: "" };
  }
  return { ...said, outcome: "approved" };
}
