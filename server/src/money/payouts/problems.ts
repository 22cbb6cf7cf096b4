// The codes and messages of refused payouts. Pure.

import { type Code, type Problem, Refusal, refusals } from "../../platform/refusals/index.ts";
import type { PayoutRefusal } from "./payout.ts";
import type { NewPayout } from "./schema.ts";

export type RefusedOutcome = {
  refused: PayoutRefusal;
  duplicateOfId?: string | undefined;
  currency: string;
  /** Of the account, where it is known. */
  country?: string | undefined;
};

/** The code of each refusal, and the field that it concerns. */
const problems: Record<PayoutRefusal, { code: Code; field: keyof NewPayout }> = {
  "receiver-unknown": { code: "PAYO205", field: "receiver_id" },
  "receiver-not-payable": { code: "PAYO221", field: "receiver_id" },
  "account-unknown": { code: "PAYO206", field: "account_id" },
  "account-not-accepted": { code: "PAYO222", field: "account_id" },
  "no-bank": { code: "PAYO228", field: "currency" },
  "currency-unfit": { code: "PAYO223", field: "currency" },
  "over-bank-limit": { code: "PAYO233", field: "amount" },
  "not-above-fee": { code: "PAYO234", field: "amount" },
  "send-on-unfit": { code: "PAYO231", field: "send_on" },
  "over-payout-limit": { code: "PAYO224", field: "amount" },
  "over-day-limit": { code: "PAYO225", field: "amount" },
  duplicate: { code: "PAYO226", field: "reference" },
  "no-funds": { code: "PAYO227", field: "amount" },
  // Always the same field, so that it does not tell which rule it was.
  "refused-by-rule": { code: "PAYO235", field: "account_id" },
};

export function codeOf({ refused }: { refused: PayoutRefusal }): Code {
  return problems[refused].code;
}

export function toPayoutRefusal(outcome: RefusedOutcome): Refusal {
  return new Refusal([toSingleProblem(outcome)]);
}

/** As a single payout is refused: with the id of the payout that it duplicates. */
export function toSingleProblem(outcome: RefusedOutcome): Problem & { field: string } {
  const found = toProblem(outcome);
  if (outcome.refused !== "duplicate") return found;
  const message = `Payout ${outcome.duplicateOfId} of the last 24 hours says the same`;
  return { ...found, message };
}

/** The message is that of the table, except if it names a currency. */
export function toProblem({
  refused,
  currency,
  country,
}: RefusedOutcome): Problem & { field: string } {
  const { code, field } = problems[refused];
  const message =
    refused === "no-bank"
      ? `No bank is connected for live payouts in ${currency} to accounts in ${country}`
      : refusals[code][1];
  return { code, message, field };
}
