// Validates phone numbers.

import {
  getCountries,
  getCountryCallingCode,
  isPossiblePhoneNumber,
  Metadata,
} from "libphonenumber-js/min";

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
