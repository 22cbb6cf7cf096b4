// Validates emails and phone numbers.

import {
  getCountries,
  getCountryCallingCode,
  isPossiblePhoneNumber,
  Metadata,
} from "libphonenumber-js/min";
import validator from "validator";

export const emailCharsMax = 254;

// Matches nearly every email. The slow library checks the rest.
const plainEmail =
  /^(?=[^@]{1,64}@)[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

/** Invisible characters such as U+200B: two emails would look the same. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u;

/** Quoted local parts are valid but unused, and the library throws on half a surrogate pair. */
export function isEmail(text: string): boolean {
  if (plainEmail.test(text)) return true;
  if (!text.isWellFormed() || text.includes('"') || invisible.test(text)) return false;
  return validator.isEmail(text);
}

/** The lengths of phone numbers, by dial code, over all countries that share it. */
const possibleLengths = new Map<string, Set<number>>();
for (const country of getCountries()) {
  const dialcode = getCountryCallingCode(country);
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const lengths = metadata.numberingPlan?.possibleLengths() ?? [];
  const known = possibleLengths.get(dialcode) ?? new Set();
  possibleLengths.set(dialcode, known.union(new Set(lengths)));
}

/** The length decides nearly always. The slow library checks the rest, such as trunk prefixes. */
export function isPossiblePhone(dialcode: string, phone: string): boolean {
  const isPlain = !phone.startsWith("0") && possibleLengths.get(dialcode)?.has(phone.length);
  return isPlain || isPossiblePhoneNumber(`+${dialcode}${phone}`);
}
