// Accounts in the United Kingdom: a sort code, in bank_code, and an account number.

import {
  defineCountry,
  grouped,
  refuseZeros,
  warning,
  withoutGaps,
} from "../account-numbers/index.ts";
import { passesModulusCheck } from "./uk-modulus.ts";

const accountDigits = 8;

export const unitedKingdom = defineCountry({
  country: "GBR",
  currency: "GBP",
  fields: {
    bank_code: {
      required: true,
      label: "Sort code",
      description: "6 digits, with or without hyphens between the pairs",
      pattern: "^[0-9]{2}[ \\-]?[0-9]{2}[ \\-]?[0-9]{2}$",
      examples: ["20-29-59", "202959"],
      refuse: (code) => (code === "000000" ? "No branch has a sort code of zeros." : undefined),
    },
    account_number: {
      required: true,
      label: "Account number",
      description: "8 digits. Where a bank prints 6 or 7, zeros go in front",
      pattern: grouped("[0-9]", { min: 6, max: accountDigits }),
      examples: ["63748472"],
      toCanonical: (text) => withoutGaps(text).padStart(accountDigits, "0"),
      refuse: refuseZeros,
    },
  },
  judge({ bank_code, account_number }) {
    if (passesModulusCheck({ sortCode: bank_code, accountNumber: account_number })) return {};
    // Our weights are of 2020 and banks have added sort codes since, so this alone never refuses.
    const reason = "The number does not fit the sort code. Please compare both with a statement.";
    return { findings: [warning("account_number", reason)] };
  },
});
