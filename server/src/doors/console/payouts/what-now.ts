// The next step for a payout in one line, by its stage, cause and age, and by the delivery of its event. Pure.

import type { Stage } from "../../../money/payouts/index.ts";
import type { EventStatus } from "../../../platform/event-catalogue/index.ts";

export type Situation = {
  stage: Stage;
  cause: string;
  /** How long it has been in this stage. */
  stayedMs: number;
  /** The bank's reference. Empty until the bank confirms that it has the payout. */
  providerReference: string;
  /** Why it is set aside. Undefined: it is not. */
  setAside?: string | undefined;
  /** The outcome that one user has proposed for it. */
  proposed?: string | undefined;
  /** The creator in words, who can't approve it. Undefined: one user is enough. */
  madeBy: string | undefined;
  /** The payout that retries it. */
  retriedAs: string | undefined;
  /** The day of its bank file, and when the money should arrive. Empty or undefined: it goes in no file. */
  processDate?: string;
  expectedArrival?: string;
  /** The delivery of the latest event. Undefined: the event is no longer stored. */
  delivery: Delivery | undefined;
};

type Delivery = {
  status: EventStatus;
  attempts: number;
  httpStatus: number | null;
};

export type Tone = "good" | "bad" | "waiting" | "warning" | "quiet" | "busy";
type WhatNow = { line: string; tone: Tone };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** After this time a stage takes unusually long. */
export const longMs = { queued: 30 * minuteMs, submitted: 24 * hourMs } as const;

export function whatNow(situation: Situation): WhatNow {
  const { line, tone } = aboutMoney(situation);
  const delivery = aboutDelivery(situation.delivery);
  if (!delivery) return { line, tone };
  return { line: `${line} ${delivery}`, tone: tone === "bad" ? "bad" : "warning" };
}

function aboutMoney(situation: Situation): WhatNow {
  const { stage, stayedMs, cause, retriedAs } = situation;
  switch (stage) {
    case "on_hold":
      return {
        line: "It is on hold. A user has to release or refuse it; without a decision it fails after 30 days. Its money is held until then.",
        tone: "warning",
      };
    case "awaiting_approval":
      return {
        line: `A user${situation.madeBy === undefined ? "" : ` other than ${situation.madeBy}`} has to approve or decline it; without a decision it fails after 30 days. Its money is held until then.`,
        tone: "warning",
      };
    case "queued":
      if (situation.setAside) {
        return {
          line: `It was not sent: ${situation.setAside}. It is retried automatically. Fix the problem, or cancel it.`,
          tone: "warning",
        };
      }
      if (situation.processDate) {
        return {
          line: `It goes with the bank file of ${situation.processDate}. Until that is frozen it can be cancelled.`,
          tone: "waiting",
        };
      }
      if (stayedMs < longMs.queued) {
        return {
          line: "It is about to be sent to the bank. Until then it can be cancelled.",
          tone: "waiting",
        };
      }
      return {
        line: `It has been waiting to be sent for ${spanOf(stayedMs)}. Check that a worker runs and that the bank answers; it can still be cancelled.`,
        tone: "warning",
      };
    case "batched":
      return {
        line: "It is in a bank file that is not sent yet. Approve and send the file, or discard it, under Banks.",
        tone: "waiting",
      };
    case "submitted":
      return aboutSent(situation);
    case "settled":
      return { line: "It was paid. Nothing to do.", tone: "good" };
    case "cancelled":
      return {
        line: "It was cancelled before it was sent. The money is back in the balance. Nothing to do.",
        tone: "quiet",
      };
    case "rejected":
    case "returned":
      if (retriedAs)
        return { line: `It was retried as ${retriedAs}. Continue there.`, tone: "quiet" };
      return { line: `${cureOf(cause)} The money is back in the balance.`, tone: "bad" };
  }
}

function aboutSent(situation: Situation): WhatNow {
  const { stayedMs, providerReference, setAside, proposed, processDate } = situation;
  if (proposed) {
    const line = `One user says that it was ${proposed}. A second user has to confirm it with Resolve.`;
    return { line, tone: "warning" };
  }
  if (setAside) {
    const line = `Set aside: ${setAside}. It is retried automatically. If the bank reports the outcome to you, use Resolve. Do not pay it again before you know.`;
    return { line, tone: "warning" };
  }
  if (processDate) {
    const arrival = situation.expectedArrival ? ` by ${situation.expectedArrival}` : "";
    const line = `The bank has its file. The money should arrive${arrival}. Nothing to do unless the bank returns it.`;
    return { line, tone: "busy" };
  }
  if (providerReference === "") {
    const line =
      "The bank has not confirmed yet that it has it. It is sent again automatically, and paid once: the bank recognises its id.";
    return { line, tone: "warning" };
  }
  if (stayedMs < longMs.submitted) {
    return { line: "The bank has it. Nothing to do until it answers.", tone: "busy" };
  }
  return {
    line: `The bank has had it for ${spanOf(stayedMs)} without an answer. Ask the bank about its reference ${providerReference}. Do not pay it again before you know.`,
    tone: "warning",
  };
}

/** The first pattern that matches the cause. Banks use many wordings. */
const cures: readonly [RegExp, string][] = [
  [/account (is )?closed|closed account/i, "Fix the account, then retry the payout."],
  [
    /no such account|account not found|unknown account/i,
    "Correct the account number, then retry the payout.",
  ],
  [
    /bsb|routing|sort code|bic|iban|branch/i,
    "Correct the bank code of the account, then retry the payout.",
  ],
  [/name/i, "Correct the name on the account, then retry the payout."],
  [
    /can no longer be paid/i,
    "The receiver or the account was disabled before it was sent. Enable it, then retry the payout.",
  ],
  [/limit|funds/i, "Ask the bank about its limit, then retry the payout."],
];

function cureOf(cause: string): string {
  const [, cure] = cures.find(([words]) => words.test(cause)) ?? [];
  return cure ?? "Ask the bank what the cause means and fix it, then retry the payout.";
}

/** Only for failed deliveries. */
function aboutDelivery(delivery: Delivery | undefined): string | undefined {
  if (!delivery) return undefined;
  const { status, attempts, httpStatus } = delivery;
  const answer = httpStatus === null ? "did not respond" : `responded with ${httpStatus}`;
  if (status === "undelivered") {
    return `The event was not delivered: the webhook endpoint ${answer}, and it is no longer retried. Fix the webhook endpoint, then resend the event.`;
  }
  if (status === "waiting" && attempts > 0) {
    return `The event is not delivered yet: the webhook endpoint ${answer}. It is retried automatically. To send it now, fix the webhook endpoint and resend the event.`;
  }
  return undefined;
}

function spanOf(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.floor(ms / minuteMs)} minutes`;
  if (ms < 48 * hourMs) return `${Math.floor(ms / hourMs)} hours`;
  return `${Math.floor(ms / (24 * hourMs))} days`;
}
