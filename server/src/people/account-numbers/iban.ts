// IBANs: the countries that have them, and their format.

import { getCountrySpecifications, ValidationErrorsIBAN, validateIBAN } from "ibantools";
import { ibanExamples } from "./iban-examples.ts";
import { type Field, type Finding, gap, warning, withoutGaps } from "./rules.ts";

const specifications = getCountrySpecifications();

// Places whose banks issue IBANs under the letters of the country that they belong to.
const issuedUnder: Record<string, string> = {
  AX: "FI",
  BL: "FR",
  GF: "FR",
  GP: "FR",
  MF: "FR",
  MQ: "FR",
  NC: "FR",
  PF: "FR",
  PM: "FR",
  RE: "FR",
  TF: "FR",
  WF: "FR",
  YT: "FR",
};

/** The letters that an IBAN, and a BIC, of this country may carry. */
export function lettersOf(alpha2: string): string[] {
  const parent = issuedUnder[alpha2];
  return parent ? [alpha2, parent] : [alpha2];
}

export function hasIban(alpha2: string): boolean {
  return Boolean(specifications[alpha2]?.chars);
}

// They use French IBANs and the Pacific franc, and are not in the euro payments area.
const outsideSepa = new Set(["NC", "PF", "TF", "WF"]);

export function isSepa(alpha2: string): boolean {
  if (outsideSepa.has(alpha2)) return false;
  return lettersOf(alpha2).some((letters) => specifications[letters]?.SEPA);
}

/** Checks mod 97, length and format, but not the inner check digits that some countries have. */
export function isIban(text: string): boolean {
  return validateIBAN(text).errorCodes.every(isInner);
}

function isInner(code: ValidationErrorsIBAN): boolean {
  return code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum;
}

/** Inner check digits have national exceptions that no list covers, so they only warn. */
export function doubtfulIban(iban: string): Finding[] {
  if (!validateIBAN(iban).errorCodes.some(isInner)) return [];
  const reason = "The national check digits inside the IBAN do not fit.";
  return [warning("account_number", reason)];
}

export function ibanField({ alpha2, name }: { alpha2: string; name: string }): Field {
  const allLetters = lettersOf(alpha2);
  const length = specifications[alpha2]?.chars ?? 0;
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
