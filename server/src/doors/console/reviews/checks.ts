// The automatic checks of a receiver for the reviewer, each with its result and reason. Pure.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { getCountryCallingCode } from "libphonenumber-js/min";
import type { LockedReceiver } from "../../../people/receivers/index.ts";
import type { AccountLine, Duplicate, ReportLine, ReviewCheck } from "../../review-list/index.ts";

type Found = {
  receiver: LockedReceiver;
  hasFailed: boolean;
  /** Newest first. */
  reports: readonly ReportLine[];
  accounts: readonly AccountLine[];
  duplicates: readonly Duplicate[];
  nowMs: number;
};

const adultYears = 18;

export function checksOf(found: Found): ReviewCheck[] {
  return [identity(found), age(found), phone(found), duplicates(found), ...bank(found)];
}

function identity({ receiver, hasFailed, reports }: Found): ReviewCheck {
  const name = "Identity";
  const { kyc_provider: provider } = receiver;
  const last = reports.find((report) => report.provider !== "operator");
  if (hasFailed) {
    const rejected = reports.find(({ outcome }) => outcome === "rejected");
    return { name, result: "fail", reason: said(rejected) || "Rejected before" };
  }
  if (!last) {
    const reason =
      provider === "sumsub" ? "No report yet" : "No provider checks this receiver. You decide";
    return { name, result: "warn", reason };
  }
  const result = last.outcome === "approved" ? "pass" : "warn";
  return { name, result, reason: said(last) || `${last.outcome} by ${last.provider}` };
}

function said(report: ReportLine | undefined): string {
  return [report?.comment, report?.labels.join(", ")].filter(Boolean).join(" · ");
}

function age({ receiver: { dob }, nowMs }: Found): ReviewCheck {
  const name = "Age";
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const hadBirthday = today.slice(5) >= dob.slice(5);
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4)) - (hadBirthday ? 0 : 1);
  return { name, result: years >= adultYears ? "pass" : "warn", reason: `${years} years` };
}

function phone({ receiver: { dialcode, country } }: Found): ReviewCheck {
  const name = "Phone";
  const expected = dialcodeOf(country);
  if (expected === undefined || expected === dialcode) {
    return { name, result: "pass", reason: `+${dialcode} fits ${country}` };
  }
  return { name, result: "warn", reason: `+${dialcode} is not of ${country} (+${expected})` };
}

function dialcodeOf(country: string): string | undefined {
  try {
    return getCountryCallingCode(iso31661Alpha3ToAlpha2[country] as "AU");
  } catch {
    return undefined;
  }
}

function duplicates({ duplicates }: Found): ReviewCheck {
  const name = "Duplicates";
  if (duplicates.length === 0) return { name, result: "pass", reason: "None found" };
  const kinds = [...new Set(duplicates.map(({ kind }) => duplicateKinds[kind]))];
  return { name, result: "warn", reason: kinds.join(", ") };
}

const duplicateKinds = {
  phone: "same phone",
  birth: "same date of birth and last name",
  bank_account: "same bank account",
} as const;

function bank({ receiver, accounts }: Found): ReviewCheck[] {
  const name = "Bank account";
  const open = accounts.filter(({ status }) => status === "active");
  if (open.length === 0) return [];
  const elsewhere = open.find(({ country }) => country !== receiver.country);
  if (elsewhere) {
    const reason = `In ${elsewhere.country}, the receiver in ${receiver.country}`;
    return [{ name, result: "warn", reason }];
  }
  if (open.some(({ address_outcome }) => address_outcome === "postcode_mismatch")) {
    return [{ name, result: "warn", reason: "The country has no such postcode" }];
  }
  return [{ name, result: "pass", reason: `In ${receiver.country}, like the receiver` }];
}
