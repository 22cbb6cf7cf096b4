// Accounts in the United States: a routing number, in bank_code, and an account number.

import { defineCountry, grouped, refuseZeros } from "./rules.ts";

const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === "000000000") return false;
  const sum = weights.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return sum % 10 === 0;
}

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
