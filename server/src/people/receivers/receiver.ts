// The states of a receiver, and the rules between its fields. Pure.

import { isPossiblePhone } from "../../platform/phones/index.ts";
import { type Problem, problem } from "../../platform/refusals/index.ts";
import { wronglyEmpty } from "./places.ts";

/** In the order of the published codes: a code is the index in this list. */
export const receiverStatuses = ["creating", "pending", "active", "inactive", "failed"] as const;
export type ReceiverStatus = (typeof receiverStatuses)[number];

export const kycStatuses = ["pending", "completed", "failed"] as const;
export type KycStatus = (typeof kycStatuses)[number];

/** The next step of the KYC worker: create the applicant, restart the check, or ask for its outcome. */
export type KycStep = "create" | "restart" | "ask";

/** A filter value is a code, as published callers send it, or a word. */
export function readState<State extends string>(
  states: readonly State[],
  text: string,
): State | undefined {
  return /^\d$/.test(text) ? states[Number(text)] : states.find((state) => state === text);
}

/** The form of an email that the unique index compares: two spellings of one address are equal. */
export function emailKey(email: string): string {
  const text = email.trim();
  return (isAscii.test(text) ? text : text.normalize("NFC")).toLowerCase();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, whose normal form is itself.
const isAscii = /^[\x00-\x7f]*$/;

const ageYearsMin = 16;
const ageYearsMax = 120;

function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [
    Number(text.slice(0, 4)),
    Number(text.slice(5, 7)),
    Number(text.slice(8)),
  ];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : daysOfMonths[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const dayMs = 86_400_000;
let bounds = { day: 0, earliest: "", latest: "" };

/** Dates in this form compare as texts. The two that matter change once a day. */
export function isBirthDate(text: string, nowMs: number = Date.now()): boolean {
  const day = Math.floor(nowMs / dayMs);
  if (bounds.day !== day) {
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const yearsAgo = (years: number) => Number(today.slice(0, 4)) - years + today.slice(4);
    bounds = { day, earliest: yearsAgo(ageYearsMax), latest: yearsAgo(ageYearsMin) };
  }
  return text >= bounds.earliest && text <= bounds.latest && isRealDate(text);
}

export const australianStates = new Set(["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
const fourDigits = /^\d{4}$/;

type Checkable = Partial<Record<"dialcode" | "phone" | "country" | "state" | "postcode", unknown>>;

/** The rules between fields. Each is checked only where its fields are present and valid on their own. */
export function receiverRules(fields: Checkable): Problem[] {
  const { dialcode, phone, country, state, postcode } = fields;
  const problems: Problem[] = [];
  if (dialcode && phone && !isPossiblePhone(String(dialcode), String(phone))) {
    problems.push(problem("REVR219", "phone"));
  }
  if (country === "AUS" && state && !australianStates.has(String(state).toUpperCase())) {
    problems.push(problem("REVR223", "state"));
  }
  if ((country === "AUS" || country === "NZL") && postcode && !fourDigits.test(String(postcode))) {
    problems.push(problem("REVR224", "postcode"));
  }
  return problems;
}

/** Required means present: a state or a postcode may be empty where the country has none. */
export function newReceiverRules(fields: Checkable): Problem[] {
  const codes = { state: "REVR211", postcode: "REVR212" } as const;
  return [
    ...receiverRules(fields),
    ...wronglyEmpty(fields).map((name) => problem(codes[name], name)),
  ];
}

/** The same for a change. Where it has no country, the country of the receiver decides later. */
export function receiverChangeRules(fields: Checkable): Problem[] {
  const codes = { state: "REVR223", postcode: "REVR224" } as const;
  const empty = fields.country === undefined ? [] : wronglyEmpty(fields);
  return [...receiverRules(fields), ...empty.map((name) => problem(codes[name], name))];
}
