// The payee name check of test subaccounts: the last digits of the account number decide the outcome.

import type { PayeeNameChecker, PayeeNameOutcome } from "./checker.ts";

const digits = 8;

/** All of them are paid by the sandbox bank, so that a check and a payout can be tested together. */
const outcomes: Record<string, PayeeNameOutcome> = {
  "12345551": "close_match",
  "12345552": "no_match",
  "12345553": "unavailable",
};

export const sandboxPayeeNameChecker: PayeeNameChecker = {
  name: "sandbox",
  check: async ({ accountNumber }) => {
    const ending = accountNumber.slice(-digits);
    return Object.hasOwn(outcomes, ending) ? (outcomes[ending] as PayeeNameOutcome) : "match";
  },
};
