// A receiver's bank account: its fields, how its number is stored, whether its address is complete. Pure.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";

/** The account's own fields, by the names that callers use. An unknown value is empty. */
export const blankAccount = {
  account_type: "",
  account_number: "",
  bsb: "",
  bank_code: "",
  abn: "",
  acn: "",
  nzbn: "",
  business_name: "",
  checking_or_savings: "",
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

/** These fields decide where the money goes: a change of any of them is a new version of the bank details. */
const bankFields = [
  "country",
  "account_type",
  "account_number",
  "bsb",
  "bank_code",
  "abn",
  "acn",
  "nzbn",
  "business_name",
  "checking_or_savings",
] as const satisfies (keyof AccountFields)[];

export function hasSameBankDetails(one: AccountFields, other: AccountFields): boolean {
  return bankFields.every((field) => one[field] === other[field]);
}

export type HolderColumns = {
  individual_or_business: string;
  business_name: string;
  first_name: string;
  last_name: string;
};

/** Whom a payout to an account pays: the business by its own name, or the receiver. */
export function payeeOf(row: HolderColumns): string {
  return businessOf(row) || `${row.first_name} ${row.last_name}`.trim();
}

/** Empty if the account is a person's. */
export function businessOf({
  individual_or_business,
  business_name,
}: Pick<HolderColumns, "individual_or_business" | "business_name">): string {
  return individual_or_business === "B" ? business_name : "";
}

/** For lists, which are sorted by the receiver's own name. */
export function payeeInList(row: HolderColumns): string {
  const { first_name, last_name } = row;
  return [`${first_name} ${last_name}`.trim(), businessOf(row)].filter(Boolean).join(", ");
}

/** The columns of bank details, `d`, that tell it. */
export const holderColumns = "d.individual_or_business, d.business_name";

export type AccountStatus = "active" | "inactive";

/** The row identity that an account number is sealed to. The first version dates from before there were versions. */
export function accountNumberIdentity(
  subaccountId: string,
  accountId: string,
  version: number,
): string {
  const account = `receiver_account.account_number:${subaccountId}:${accountId}`;
  return version === 1 ? account : `${account}:${version}`;
}

/** The last digits of a number, which may be stored unencrypted. A shorter number shows fewer, the shortest none. */
export function tailOf(accountNumber: string): string {
  const { length } = accountNumber;
  const shown = length >= 8 ? 4 : length >= 4 ? 2 : 0;
  return accountNumber.slice(length - shown);
}

/** A number as it is shown to users who need to recognise it but not to know it. */
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
  // Some rules of the library know capital letters only.
  return postcodeValidator(postcode.toUpperCase(), alpha2) ? "valid" : "postcode_mismatch";
}

export function isAddressAccepted(outcome: AddressOutcome): boolean {
  return outcome !== "postcode_mismatch";
}
