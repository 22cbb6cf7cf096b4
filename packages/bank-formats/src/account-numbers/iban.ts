// IBANs: the countries that have them, and their format.

import { getCountrySpecifications, ValidationErrorsIBAN, validateIBAN } from "ibantools";

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

/** Undefined for a country without IBANs. */
export function ibanLength(alpha2: string): number | undefined {
  return specifications[alpha2]?.chars ?? undefined;
}

/** Whether the national check digits inside it fit, where a country has them. */
export function fitsInside(iban: string): boolean {
  return !validateIBAN(iban).errorCodes.some(isInner);
}
