// Accounts in Australia: a BSB, which names bank, state and branch, and an account number.

import { defineCountry, grouped, refuseZeros, warning } from "../account-numbers/index.ts";
import { type AustralianBank, banksByPrefix } from "./australian-banks.ts";

const prefixDigitsMax = 3;
const prefixDigitsMin = 2;

// A file's last record carries 999-999 in place of a BSB, so no branch can have it.
const placeholders = new Set(["000000", "999999"]);

/** The longest prefix wins: a small institution has three digits within a big one's two. */
export function findAustralianBank(bsb: string): AustralianBank | undefined {
  for (let digits = prefixDigitsMax; digits >= prefixDigitsMin; digits -= 1) {
    const bank = banksByPrefix.get(bsb.slice(0, digits));
    if (bank) return bank;
  }
  return undefined;
}

export const australia = defineCountry({
  country: "AUS",
  currency: "AUD",
  businessNumbers: ["abn", "acn"],
  fields: {
    bsb: {
      required: true,
      label: "BSB",
      description: "6 digits, with or without a hyphen after the third",
      // A hyphen elsewhere means that a digit slipped, so it is not simply taken out.
      pattern: "^[0-9]{3}[ \\-]?[0-9]{3}$",
      examples: ["062-000", "083047"],
      refuse: (bsb) =>
        placeholders.has(bsb) ? "This BSB is a filler and belongs to no branch." : undefined,
    },
    account_number: {
      required: true,
      label: "Account number",
      description: "5 to 9 digits or letters",
      pattern: grouped("[0-9A-Za-z]", { min: 5, max: 9 }),
      examples: ["12345678", "001234"],
      refuse: refuseZeros,
    },
    bank_code: {
      required: false,
      derived: true,
      label: "Bank",
      description: "The bank's abbreviation. We find it from the BSB",
      pattern: "^[0-9A-Za-z&]{2,11}$",
      examples: ["CBA"],
      toCanonical: (code) => code.toUpperCase(),
    },
  },
  judge({ bsb, bank_code }) {
    const bank = findAustralianBank(bsb);
    // Prefixes are handed out every year: one that we lack is no reason to refuse an account.
    if (!bank) return { findings: [warning("bsb", "We know no bank whose BSBs begin like this.")] };
    const differs = bank_code !== "" && bank_code !== bank.code;
    return {
      details: { bank_code: bank.code },
      bankName: bank.name,
      findings: differs
        ? [warning("bank_code", `The BSB is one of ${bank.name}, whose code is ${bank.code}.`)]
        : [],
    };
  },
});
