// The keyed hash of an account number, by which the same account at two receivers is found.

import type { Seal } from "../../platform/encryption/index.ts";
import { rulesFor } from "../account-rules/index.ts";

/** Rises when the hash of some numbers changes. */
export const markVersion = 1;

type MarkedNumber = { subaccountId: string; country: string; accountNumber: string };

export function accountMark(
  seal: Pick<Seal, "sign">,
  { subaccountId, country, accountNumber }: MarkedNumber,
): string {
  return seal.sign("account number", `${subaccountId} ${comparableNumber(country, accountNumber)}`);
}

/** The same for every way to write one account. What is stored and sent to banks stays as it was given. */
export function comparableNumber(country: string, accountNumber: string): string {
  const { toComparable = (number) => number } = rulesFor(country);
  // Banks fill account numbers with zeros.
  return toComparable(accountNumber).toUpperCase().replace(/^0+/, "");
}

/** The hashes that a number can have, in whatever country its account is. Users write it with spaces and dashes. */
export function accountMarks(
  seal: Pick<Seal, "sign">,
  { subaccountId, accountNumber }: Omit<MarkedNumber, "country">,
): string[] {
  const written = [
    accountNumber,
    accountNumber.replace(/[\s.]/g, ""),
    accountNumber.replace(/[\s.-]/g, ""),
  ];
  const marks = written.flatMap((number) =>
    ["AUS", "NZL"].map((country) =>
      accountMark(seal, { subaccountId, country, accountNumber: number }),
    ),
  );
  return [...new Set(marks)];
}
