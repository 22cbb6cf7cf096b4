// What there is to do about a payout, in a line: a table by where it is, why, for how long, and whether its event was
// heard. Pure.

import type { EventStatus } from "../../events/event.ts";
import type { Stage } from "../../payouts/states.ts";

export type Situation = {
  stage: Stage;
  cause: string;
  /** For how long it has been where it is. */
  stayedMs: number;
  /** The bank's own; empty until it has confirmed that it has it. */
  providerReference: string;
  /** Why it is set aside; undefined: it is not. */
  setAside?: string | undefined;
  /** The outcome that one user has proposed for it. */
  proposed?: string | undefined;
  /** Who made it, in words: somebody else has to approve it. */
  madeBy: string;
  /** The payout that retries it. */
  retriedAs: string | undefined;
  /** Of the latest event. Undefined: there is none any more. */
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

/** After this it is no longer on its usual way. */
export const longMs = { queued: 30 * minuteMs, submitted: 24 * hourMs } as const;

export function whatNow(situation: Situation): WhatNow {
  const { line, tone } = aboutMoney(situation);
  const heard = aboutDelivery(situation.delivery);
  if (!heard) return { line, tone };
  return { line: `${line} ${heard}`, tone: tone === "bad" ? "bad" : "warning" };
}

function aboutMoney(situation: Situation): WhatNow {
  const { stage, stayedMs, cause, retriedAs } = situation;
  switch (stage) {
    case "awaiting_approval":
      return {
        line: `Somebody other than ${situation.madeBy} has to approve or decline it. Its money is held until then.`,
        tone: "warning",
      };
    case "queued":
      if (situation.setAside) {
        return {
          line: `It was not sent: ${situation.setAside}. It is tried again by itself. Put that right, or cancel it.`,
          tone: "warning",
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
        line: "It was taken back before it was sent. The money is back in the balance. Nothing to do.",
        tone: "quiet",
      };
    case "rejected":
    case "returned":
      if (retriedAs)
        return { line: `It was made anew as ${retriedAs}. Go on there.`, tone: "quiet" };
      return { line: `${cureOf(cause)} The money is back in the balance.`, tone: "bad" };
  }
}

function aboutSent({ stayedMs, providerReference, setAside, proposed }: Situation): WhatNow {
  if (proposed) {
    const line = `One user says that it was ${proposed}. A second user has to confirm it with Resolve.`;
    return { line, tone: "warning" };
  }
  if (setAside) {
    const line = `Set aside: ${setAside}. It is tried again by itself. If the bank tells you what became of it, use Resolve. Do not pay it again before you know.`;
    return { line, tone: "warning" };
  }
  if (providerReference === "") {
    const line =
      "The bank has not confirmed yet that it has it. It is sent again by itself, and paid once: the bank knows it by its id.";
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

/** By what the cause says; the first that fits. Banks put it in many ways. */
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
    "The receiver or the account was taken out of use before it was sent. Put it right, then retry the payout.",
  ],
  [/limit|funds/i, "Ask the bank about its limit, then retry the payout."],
];

function cureOf(cause: string): string {
  const [, cure] = cures.find(([words]) => words.test(cause)) ?? [];
  return cure ?? "Find out what the bank meant and put it right, then retry the payout.";
}

/** Only where somebody should know. */
function aboutDelivery(delivery: Delivery | undefined): string | undefined {
  if (!delivery) return undefined;
  const { status, attempts, httpStatus } = delivery;
  const answer = httpStatus === null ? "gave no answer" : `answered ${httpStatus}`;
  if (status === "undelivered") {
    return `The subaccount has not heard of it: its endpoint ${answer}, and delivery was given up. Fix the endpoint, then resend the event.`;
  }
  if (status === "waiting" && attempts > 0) {
    return `The subaccount has not heard of it yet: its endpoint ${answer}. It is tried again by itself; to have it at once, fix the endpoint and resend the event.`;
  }
  return undefined;
}

function spanOf(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.floor(ms / minuteMs)} minutes`;
  if (ms < 48 * hourMs) return `${Math.floor(ms / hourMs)} hours`;
  return `${Math.floor(ms / (24 * hourMs))} days`;
}
