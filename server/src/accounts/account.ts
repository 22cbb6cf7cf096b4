// What a receiver's bank account is: its fields, how its number is kept, whether its address fits. Pure.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** Everything that is the account's own, by the names that callers give it. What is not known is empty. */
export const blankAccount = {
  account_type: "",
  account_number: "",
  bsb: "",
  bank_code: "",
  abn: "",
  acn: "",
  nzbn: "",
  aka: "",
  occupation: "",
  homedialcode: "",
  homephone: "",
  address: "",
  address2: "",
  city: "",
  state: "",
  country: "",
  postcode: "",
  reference: "",
};
export type AccountFields = typeof blankAccount;

/** Where the money goes: a change of any of these is a new version of the bank details. */
const bankFields = [
  "country",
  "account_type",
  "account_number",
  "bsb",
  "bank_code",
  "abn",
  "acn",
  "nzbn",
] as const satisfies (keyof AccountFields)[];

export function hasSameBankDetails(one: AccountFields, other: AccountFields): boolean {
  return bankFields.every((field) => one[field] === other[field]);
}

export type AccountStatus = "active" | "inactive";

/** The row identity that an account number is sealed to. The first version is from before there were any. */
export function accountNumberIdentity(
  subaccountId: string,
  accountId: string,
  version: number,
): string {
  const account = `receiver_account.account_number:${subaccountId}:${accountId}`;
  return version === 1 ? account : `${account}:${version}`;
}

/** What of a number may lie open. The shorter it is, the less: of the shortest nothing. */
export function tailOf(accountNumber: string): string {
  const { length } = accountNumber;
  const shown = length >= 8 ? 4 : length >= 4 ? 2 : 0;
  return accountNumber.slice(length - shown);
}

/** How a number is shown to those who need to recognise it and not to know it. */
export function maskedNumber(tail: string): string {
  return `•••• ${tail}`.trimEnd();
}

export const addressOutcomes = {
  valid: "the postcode is one of the country",
  unchecked: "there is no postcode, or we have no rule for the country's",
  postcode_mismatch: "the country has no such postcodes",
};
export type AddressOutcome = keyof typeof addressOutcomes;

export function addressOutcome({
  country,
  postcode,
}: Pick<AccountFields, "country" | "postcode">): AddressOutcome {
  const alpha2 = iso31661Alpha3ToAlpha2[country] ?? "";
  if (postcode === "" || !postcodeValidatorExistsForCountry(alpha2)) return "unchecked";
  // Some of its rules know capitals only.
  return postcodeValidator(postcode.toUpperCase(), alpha2) ? "valid" : "postcode_mismatch";
}

export function isAddressAccepted(outcome: AddressOutcome): boolean {
  return outcome !== "postcode_mismatch";
}
