// What a bank's report does to a payout: a move, a note, or a question for a user. Pure.

import { findBankCode } from "../../../../packages/bank-formats/src/index.ts";
import type { FeeKeepingMove, Stage } from "../../money/payouts/index.ts";
import type { InboundLine } from "./inbound-line.ts";

/** Why a user has to decide. */
export const suspenseReasons = {
  no_payout: "no payout fits",
  several_payouts: "several payouts fit",
  no_batch: "no file that we sent fits",
  other_connection: "the payout was sent through another bank connection",
  other_account: "the line is about another account of ours",
  amount_differs: "the payout has another amount or currency",
  already_returned: "the payout was returned before",
  already_failed: "the payout was cancelled or rejected before",
  not_sent: "the payout is in no file that was sent",
  details_not_valid: "the corrected bank details can't be proposed",
  unknown_credit: "nothing says whose money it is",
  needs_decision: "the bank reports something that only a user can decide",
} as const;
export type SuspenseReason = keyof typeof suspenseReasons;

export type InboundDecision =
  | { outcome: "applied"; move: FeeKeepingMove }
  | { outcome: "noted"; detail: string }
  | { outcome: "suspended"; reason: SuspenseReason };

/** The facts of a payout that decide. */
export type ReportedPayout = {
  stage: Stage;
  /** What went to the bank. */
  sent_amount: string;
  currency: string;
  rail: string;
  /** A file of another kind reported its return: this line is about the same money. */
  isReturnKnown?: boolean;
};

/** The facts of the bank connection that decide. */
export type ReportingBank = { rail: string; confirms: boolean };

export function decideInbound(
  line: Pick<InboundLine, "kind" | "amount" | "currency">,
  payout: ReportedPayout,
  bank: ReportingBank,
): InboundDecision {
  if (payout.rail !== bank.rail) return suspend("other_connection");
  const { kind, amount, currency } = line;
  if (kind === "other") return suspend("needs_decision");
  if (kind === "credit") return suspend("unknown_credit");
  if (kind === "change" || kind === "accepted") return note(kind);
  const isSame =
    (amount === undefined || amount === BigInt(payout.sent_amount)) &&
    (currency === "" || currency === payout.currency);
  if (!isSame) return suspend("amount_differs");
  if (kind === "return") return decideReturn(payout);
  if (kind === "rejection") return decideRejection(payout.stage);
  const isPaid = kind === "settled" || bank.confirms;
  if (isPaid && payout.stage === "submitted") return apply("settle");
  return note(isPaid ? "the payout has its outcome already" : "our account was debited");
}

function decideReturn({ stage, isReturnKnown }: ReportedPayout): InboundDecision {
  switch (stage) {
    case "submitted":
      return apply("return_early");
    case "settled":
      return apply("return");
    case "returned":
      return isReturnKnown ? note(returnKnownText) : suspend("already_returned");
    case "rejected":
    case "cancelled":
      return suspend("already_failed");
    default:
      return suspend("not_sent");
  }
}

function decideRejection(stage: Stage): InboundDecision {
  switch (stage) {
    case "submitted":
      return apply("reject");
    case "settled":
      // We counted it as paid, and the money never left.
      return apply("return");
    case "returned":
    case "rejected":
    case "cancelled":
      return note("the payout had failed before");
    default:
      return suspend("not_sent");
  }
}

const returnKnownText = "a file of another kind reported the same return";

/** Banks report a return in a return file, in a notification and in a statement: once in each. The reader says which it is. */
export type ReportSource = "returns" | "notification" | "statement";

const apply = (move: FeeKeepingMove): InboundDecision => ({ outcome: "applied", move });
const note = (detail: string): InboundDecision => ({ outcome: "noted", detail });
const suspend = (reason: SuspenseReason): InboundDecision => ({ outcome: "suspended", reason });

/** The cause in plain words: of the table of bank codes, or the bank's own. */
export function causeOf({ scheme, code, text, kind }: InboundLine): string {
  const known = findBankCode(scheme, code)?.cause;
  // The bank's own words say more than "see the text".
  if (known && code !== "NARR") return known;
  const own = text.replaceAll(/\p{Cc}+/gu, " ").trim();
  return (
    own.slice(0, 200) ||
    known ||
    (kind === "rejection" ? "The bank rejected it" : "The bank returned it")
  );
}
