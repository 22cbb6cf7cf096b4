// The field for a BIC, which says which bank, in which country.

import { isBic } from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import { type Field, type Finding, gap, warning, withoutGaps } from "./rules.ts";

export function bicField({ alpha2, required }: { alpha2: string; required: boolean }): Field {
  return {
    required,
    label: "BIC",
    description: "The bank's SWIFT code, 8 or 11 letters and digits",
    pattern: `^[A-Za-z]{4}${gap}[A-Za-z]{2}${gap}[0-9A-Za-z]{2}(?:${gap}[0-9A-Za-z]{3})?$`,
    examples: [`ABCD${alpha2}2X`, `ABCD${alpha2}2XXXX`],
    toCanonical: (text) => withoutGaps(text).toUpperCase(),
    refuse: (bic) => (isBic(bic) ? undefined : "The BIC names no country."),
  };
}

/** Some banks answer for accounts abroad, so a foreign BIC is odd rather than wrong. */
export function foreignBic(bic: string, countries: readonly string[]): Finding[] {
  if (bic === "" || countries.includes(bic.slice(4, 6))) return [];
  return [warning("bank_code", "The BIC is one of a bank in another country.")];
}
