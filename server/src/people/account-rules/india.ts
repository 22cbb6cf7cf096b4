// Accounts in India: an IFSC, which names bank and branch, in bank_code, and an account number.

import { defineCountry, grouped, refuseZeros } from "../account-numbers/index.ts";

export const india = defineCountry({
  country: "IND",
  currency: "INR",
  fields: {
    bank_code: {
      required: true,
      label: "IFSC",
      description: "11 characters: 4 letters, a zero, 6 digits or letters",
      pattern: "^[A-Za-z]{4}0[0-9A-Za-z]{6}$",
      examples: ["HDFC0000001", "HDFC0CAGSBK"],
      toCanonical: (code) => code.toUpperCase(),
    },
    account_number: {
      required: true,
      label: "Account number",
      description: "9 to 18 digits",
      pattern: grouped("[0-9]", { min: 9, max: 18 }),
      examples: ["50100012345678"],
      refuse: refuseZeros,
    },
  },
});
