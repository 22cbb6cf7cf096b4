// Accounts in the single euro payments area: an IBAN, and optionally a BIC.

import { lettersOf } from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import {
  bicField,
  type CountryRules,
  defineCountry,
  doubtfulIban,
  foreignBic,
  ibanField,
} from "../account-numbers/index.ts";

export type Country = { country: string; alpha2: string; name: string };

export function sepa({ country, alpha2, name }: Country): CountryRules {
  return defineCountry({
    country,
    currency: "EUR",
    fields: {
      account_number: ibanField({ alpha2, name }),
      bank_code: bicField({ alpha2, required: false }),
    },
    judge: ({ account_number, bank_code }) => ({
      findings: [...doubtfulIban(account_number), ...foreignBic(bank_code, lettersOf(alpha2))],
    }),
  });
}
