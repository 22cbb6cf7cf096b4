// Accounts in Canada: institution and transit number, in bank_code, and an account number.

import { defineCountry, grouped, refuseZeros } from "../account-numbers/index.ts";

export const canada = defineCountry({
  country: "CAN",
  currency: "CAD",
  fields: {
    bank_code: {
      required: true,
      label: "Institution and transit number",
      // Cheques print the transit number first. The leading zero distinguishes the two orders.
      description: "9 digits: a zero, the institution's 3, the transit number's 5",
      pattern: "^0[0-9]{3}[ \\-]?[0-9]{5}$",
      examples: ["000312345", "0003-12345"],
    },
    account_number: {
      required: true,
      label: "Account number",
      description: "7 to 12 digits",
      pattern: grouped("[0-9]", { min: 7, max: 12 }),
      examples: ["1234567"],
      refuse: refuseZeros,
    },
  },
});
