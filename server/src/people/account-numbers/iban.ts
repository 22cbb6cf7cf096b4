// The field for an IBAN, with an example of each country.

import {
  fitsInside,
  ibanLength,
  isIban,
  lettersOf,
} from "../../../../packages/bank-formats/src/account-numbers/index.ts";
import { ibanExamples } from "./iban-examples.ts";
import { type Field, type Finding, gap, warning, withoutGaps } from "./rules.ts";

/** Inner check digits have national exceptions that no list covers, so they only warn. */
export function doubtfulIban(iban: string): Finding[] {
  if (fitsInside(iban)) return [];
  const reason = "The national check digits inside the IBAN do not fit.";
  return [warning("account_number", reason)];
}

export function ibanField({ alpha2, name }: { alpha2: string; name: string }): Field {
  const allLetters = lettersOf(alpha2);
  const length = ibanLength(alpha2) ?? 0;
  return {
    required: true,
    label: "IBAN",
    description: `${length} characters that begin with ${allLetters.join(" or ")}: an IBAN of ${name}`,
    pattern: `^(?:${allLetters.map(eitherCase).join("|")})(?:${gap}[0-9A-Za-z]){${length - 2}}$`,
    examples: allLetters.flatMap((letters) => ibanExamples[letters] ?? []),
    toCanonical: (text) => withoutGaps(text).toUpperCase(),
    refuse: (iban) =>
      isIban(iban)
        ? undefined
        : "The IBAN's check digits do not fit: a character is wrong, or two are swapped.",
  };
}

function eitherCase(letters: string): string {
  return [...letters].map((letter) => `[${letter}${letter.toLowerCase()}]`).join("");
}
