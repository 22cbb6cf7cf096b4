// Accounts in the United States: a routing number, in bank_code, and an account number.

import { isRoutingNumber } from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import { defineCountry, grouped, refuseZeros } from "../account-numbers/index.ts";

export const unitedStates = defineCountry({
  country: "USA",
  currency: "USD",
  hasSavingsAccounts: true,
  fields: {
    bank_code: {
      required: true,
      label: "Routing number",
      description: "9 digits, as at the foot of a cheque",
      pattern: grouped("[0-9]", { min: 9, max: 9 }),
      examples: ["021000021"],
      refuse: (routing) =>
        isRoutingNumber(routing)
          ? undefined
          : "The routing number's check digit does not fit: a digit is wrong, or two are swapped.",
    },
    account_number: {
      required: true,
      label: "Account number",
      description: "4 to 17 digits or letters",
      pattern: grouped("[0-9A-Za-z]", { min: 4, max: 17 }),
      examples: ["000123456789"],
      refuse: refuseZeros,
    },
  },
});
