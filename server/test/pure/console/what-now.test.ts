// The next step for a payout in one line: by its stage, cause and age, and by the delivery of its event.

import { expect, test } from "vitest";
import { longMs, type Situation, whatNow } from "../../../src/doors/console/payouts/what-now.ts";
import { stageNames } from "../../../src/money/payouts/states.ts";

const paid: Situation = {
  stage: "settled",
  cause: "",
  stayedMs: 1_000,
  providerReference: "8F2A",
  madeBy: "ana@example.com",
  retriedAs: undefined,
  delivery: { status: "delivered", attempts: 1, httpStatus: 204 },
};
const undelivered = { attempts: 3, httpStatus: 500 } as const;

test.each<[string, Partial<Situation>, string, string]>([
  ["paid", {}, "It was paid. Nothing to do.", "good"],
  ["waits for approval", { stage: "awaiting_approval" }, "other than ana@example.com", "warning"],
  ["about to be sent", { stage: "queued" }, "can be cancelled", "waiting"],
  [
    "queued for a long time",
    { stage: "queued", stayedMs: longMs.queued },
    "for 30 minutes",
    "warning",
  ],
  [
    "waits for a bank file",
    { stage: "queued", stayedMs: longMs.queued, processDate: "2026-11-17" },
    "with the bank file of 2026-11-17",
    "waiting",
  ],
  [
    "in a file at the bank",
    {
      stage: "submitted",
      providerReference: "",
      processDate: "2026-11-17",
      expectedArrival: "2026-11-18",
    },
    "should arrive by 2026-11-18",
    "busy",
  ],
  ["at the bank", { stage: "submitted" }, "Nothing to do until it answers", "busy"],
  [
    "at the bank for a long time",
    { stage: "submitted", stayedMs: 3 * 86_400_000 },
    "for 3 days without an answer. Ask the bank about its reference 8F2A",
    "warning",
  ],
  [
    "not confirmed",
    { stage: "submitted", providerReference: "" },
    "sent again automatically",
    "warning",
  ],
  [
    "account closed",
    { stage: "rejected", cause: "account closed" },
    "Fix the account, then retry the payout. The money is back in the balance.",
    "bad",
  ],
  ["wrong BSB", { stage: "rejected", cause: "invalid BSB" }, "Correct the bank code", "bad"],
  ["no such account", { stage: "rejected", cause: "no such account" }, "the account number", "bad"],
  ["some other cause", { stage: "rejected", cause: "R99" }, "what the cause means", "bad"],
  ["returned", { stage: "returned", cause: "account closed" }, "back in the balance", "bad"],
  ["cancelled", { stage: "cancelled" }, "cancelled before it was sent", "quiet"],
  ["retried", { stage: "rejected", retriedAs: "0190" }, "retried as 0190", "quiet"],
  [
    "paid, and its event waits for a retry",
    { delivery: { status: "waiting", ...undelivered } },
    "It was paid. Nothing to do. The event is not delivered yet: the webhook endpoint responded with 500.",
    "warning",
  ],
  [
    "paid, and its event is abandoned",
    { delivery: { status: "undelivered", attempts: 12, httpStatus: null } },
    "the webhook endpoint did not respond, and it is no longer retried. Fix the webhook endpoint, then resend",
    "warning",
  ],
  [
    "failed, and its event is abandoned",
    {
      stage: "rejected",
      cause: "account closed",
      delivery: { status: "undelivered", ...undelivered },
    },
    "The money is back in the balance. The event was not delivered",
    "bad",
  ],
  ["without a webhook endpoint", { delivery: undefined }, "It was paid. Nothing to do.", "good"],
])("%s", (_name, changes, line, tone) => {
  const now = whatNow({ ...paid, ...changes });
  expect(now.line).toContain(line);
  expect(now.tone).toBe(tone);
});

test("every stage has a line", () => {
  for (const stage of stageNames) expect(whatNow({ ...paid, stage }).line).toMatch(/^[A-Z].+\.$/);
});
