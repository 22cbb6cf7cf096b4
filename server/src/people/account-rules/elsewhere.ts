// Accounts in every other country: the bank's BIC, and the IBAN where the country has them.

import { hasIban, lettersOf } from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import {
  bicField,
  type CountryRules,
  defineCountry,
  doubtfulIban,
  type Field,
  foreignBic,
  grouped,
  ibanField,
  refuseZeros,
} from "../account-numbers/index.ts";
import type { Country } from "./sepa.ts";

const plainNumber: Field = {
  required: true,
  label: "Account number",
  description: "1 to 34 digits or letters",
  pattern: grouped("[0-9A-Za-z]", { min: 1, max: 34 }),
  examples: ["0012345678"],
  refuse: refuseZeros,
};

export function elsewhere({ country, alpha2, name }: Country): CountryRules {
  const isByIban = hasIban(alpha2);
  return defineCountry({
    country,
    fields: {
      account_number: isByIban ? ibanField({ alpha2, name }) : plainNumber,
      bank_code: bicField({ alpha2, required: true }),
    },
    judge: ({ account_number, bank_code }) => ({
      findings: [
        ...(isByIban ? doubtfulIban(account_number) : []),
        ...foreignBic(bank_code, lettersOf(alpha2)),
      ],
    }),
  });
}
