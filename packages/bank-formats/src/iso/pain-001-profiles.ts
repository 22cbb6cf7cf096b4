// How pain.001 pays in each currency: the clearing, its codes, and why it can't carry a payment.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { isBic, isIban, isSepa, lettersOf } from "../account-numbers/index.ts";
import { toBankText } from "../characters.ts";
import type { Payment, PaymentProblem, PostalAddress } from "../format.ts";
import { formatGrouped } from "../money.ts";
import { epcCharacters, type Pain001Version } from "./pain-001-layout.ts";

export type Pain001Currency = "AUD" | "NZD" | "EUR" | "GBP";

/** What the bank told us about our account. */
export type Pain001Settings = {
  currency: Pain001Currency;
  /** For GBP: three-day cycle, or at once. Others ignore it. */
  clearing: "bacs" | "faster_payments";
  /** Our name as the bank knows it. */
  debtorName: string;
  debtorAddress: PostalAddress | undefined;
  /** The id of our company that the bank gave us; may be empty. */
  organisationId: string;
  /** Our account: an IBAN, or a number without bank and branch. */
  accountNumber: string;
  /** BSB, bank and branch, or sort code: six digits. Empty with an IBAN. */
  clearingCode: string;
  bic: string;
  /** One debit for the whole file on our statement, instead of one for each payment. */
  isBatchBooked: boolean;
  /** Whether the bank wants a UETR for each payment. Version 03 has none. */
  hasUetr: boolean;
};

type Profile = {
  serviceLevel: (settings: Pain001Settings) => string;
  chargeBearer: string;
  /** The external clearing system code; empty where IBANs say it all. */
  clearingSystem: string;
  nameLength: number;
  amountMax: (settings: Pain001Settings) => bigint;
};

const nineDigits = 999_999_999_99n;
const notUrgent = () => "NURG";

export const pain001Profiles: Readonly<Record<Pain001Currency, Profile>> = {
  AUD: {
    serviceLevel: notUrgent,
    chargeBearer: "",
    clearingSystem: "AUBSB",
    nameLength: 140,
    amountMax: () => 99_999_999_99n,
  },
  NZD: {
    serviceLevel: notUrgent,
    chargeBearer: "",
    clearingSystem: "NZNCC",
    nameLength: 140,
    amountMax: () => nineDigits,
  },
  EUR: {
    serviceLevel: () => "SEPA",
    chargeBearer: "SLEV",
    clearingSystem: "",
    nameLength: 70,
    amountMax: () => nineDigits,
  },
  GBP: {
    serviceLevel: ({ clearing }) => (clearing === "bacs" ? "NURG" : "URNS"),
    chargeBearer: "",
    clearingSystem: "GBDSC",
    nameLength: 140,
    amountMax: ({ clearing }) => (clearing === "bacs" ? 20_000_000_00n : 1_000_000_00n),
  },
};

export const remittanceLength = 140;

/** Where a receiver's account is: an IBAN, or a clearing code and a number. */
type CreditorAccount = {
  iban: string;
  bic: string;
  memberId: string;
  account: string;
};

const newZealandBranchLength = 6;

/** Undefined where the details are none of the currency. */
export function creditorAccountOf(payment: Payment, currency: Pain001Currency) {
  const { bsb, bankCode } = payment;
  const number = payment.accountNumber.replace(/[ -]/g, "");
  if (currency === "AUD") {
    const fits = /^\d{6}$/.test(bsb) && /^[0-9A-Za-z]{1,9}$/.test(number) && !/^0+$/.test(number);
    return fits ? clearingAccount(bsb, number) : undefined;
  }
  if (currency === "NZD") {
    const whole = number.length >= 15 ? number : bsb + number;
    if (!/^\d{15,16}$/.test(whole)) return undefined;
    return clearingAccount(
      whole.slice(0, newZealandBranchLength),
      whole.slice(newZealandBranchLength),
    );
  }
  const bic = isBic(bankCode) ? bankCode : "";
  if (currency === "EUR" || /^GB/.test(number)) {
    return isIban(number) ? { iban: number, bic, memberId: "", account: "" } : undefined;
  }
  const sortCode = bankCode.replace(/[ -]/g, "");
  const fits = /^\d{6}$/.test(sortCode) && /^\d{8}$/.test(number);
  return fits ? clearingAccount(sortCode, number) : undefined;
}

function clearingAccount(memberId: string, account: string): CreditorAccount {
  return { iban: "", bic: "", memberId, account };
}

const countryOf: Record<Exclude<Pain001Currency, "EUR">, string> = {
  AUD: "AUS",
  NZD: "NZL",
  GBP: "GBR",
};

/** European Economic Area. Inside it, an address is optional. */
const eea = new Set(
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO".split(
    " ",
  ),
);

function isInEea(alpha2: string): boolean {
  return lettersOf(alpha2).some((letters) => eea.has(letters));
}

function toAlpha2(country: string): string {
  return iso31661Alpha3ToAlpha2[country] ?? "";
}

export function pain001Problems(
  payment: Payment,
  settings: Pain001Settings,
  version: Pain001Version,
): PaymentProblem[] {
  const { currency } = settings;
  const problems: PaymentProblem[] = [];
  const refuse = (field: keyof Payment, message: string) => problems.push({ field, message });
  if (currency === "EUR" && version !== "pain.001.001.09") {
    refuse("currency", "Payments in EUR need pain.001.001.09.");
  }
  if (payment.currency !== currency) {
    refuse("currency", `This connection pays in ${currency} only.`);
    return problems;
  }
  const amountMax = pain001Profiles[currency].amountMax(settings);
  if (payment.amount <= 0n || payment.amount > amountMax) {
    refuse(
      "amount",
      `The amount must be above zero and at most ${formatGrouped(amountMax, currency)}.`,
    );
  }
  if (!/^[0-9A-Za-z]{1,35}$/.test(payment.payoutId.replaceAll("-", ""))) {
    refuse("payoutId", "The payout's id must have at most 35 letters and digits.");
  }
  problems.push(...countryProblems(payment, settings), ...textProblems(payment));
  if (!creditorAccountOf(payment, currency)) {
    refuse("accountNumber", `The bank details are none that ${currency} payments can be sent to.`);
  }
  if (payment.bankCode !== "" && currency === "EUR" && !isBic(payment.bankCode)) {
    refuse("bankCode", "The bank code must be a BIC or empty.");
  }
  return problems;
}

function countryProblems(payment: Payment, { currency, debtorAddress }: Pain001Settings) {
  const { country, address } = payment;
  const alpha2 = toAlpha2(country);
  const problem = (field: keyof Payment, message: string): PaymentProblem[] => [{ field, message }];
  if (currency !== "EUR") {
    return country === countryOf[currency]
      ? []
      : problem(
          "country",
          `Payments in ${currency} reach accounts in ${countryOf[currency]} only.`,
        );
  }
  if (!isSepa(alpha2)) {
    return problem("country", "The account is outside the single euro payments area.");
  }
  if (isInEea(alpha2)) return [];
  if (!address || !structuredAddress(address)) {
    return problem(
      "address",
      "Outside the EEA, the receiver's address needs a city and a country.",
    );
  }
  return debtorAddress && structuredAddress(debtorAddress)
    ? []
    : problem("country", "Outside the EEA, the bank connection needs our own address.");
}

function textProblems({ payeeName, statementReference, purpose }: Payment): PaymentProblem[] {
  const problems: PaymentProblem[] = [];
  if (toBankText(payeeName, epcCharacters, 1) === "") {
    const message = "Nothing of the name can be written in the characters of bank payments.";
    problems.push({ field: "payeeName", message });
  }
  if (toBankText(statementReference, epcCharacters, 1) === "") {
    const message = "Nothing of the reference can be written in the characters of bank payments.";
    problems.push({ field: "statementReference", message });
  }
  if (!/^[A-Z0-9]{0,4}$/.test(purpose)) {
    const message = "The purpose must be a code of ISO 20022 with up to four characters.";
    problems.push({ field: "purpose", message });
  }
  return problems;
}

const streetLength = 70;

/**
 * The fields of a structured address, in the format's characters. A street that is too long for its field goes into
 * address lines (a hybrid address). Undefined without a town or country: unstructured addresses are refused.
 */
export function structuredAddress({ street, city, state, postcode, country }: PostalAddress) {
  const alpha2 = toAlpha2(country);
  const town = toBankText(city, epcCharacters, 35);
  if (alpha2 === "" || town === "") return undefined;
  const line = toBankText(street, epcCharacters, 2 * streetLength);
  const isHybrid = line.length > streetLength;
  return {
    street: isHybrid ? "" : line,
    postcode: toBankText(postcode, epcCharacters, 16),
    town,
    region: toBankText(state, epcCharacters, 35),
    country: alpha2,
    addressLines: isHybrid ? inLines(line) : "",
  };
}

function inLines(line: string): string {
  return [line.slice(0, streetLength).trimEnd(), line.slice(streetLength).trimStart()].join("\n");
}
