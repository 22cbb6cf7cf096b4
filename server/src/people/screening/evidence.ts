// What date of birth and country say about a match of names: they raise or lower its score, and never make a match alone.

import { matchThreshold, type NameReason } from "../../../../packages/name-matching/src/index.ts";
import type { Evidence } from "./hit.ts";

type NameMatch = { score: number; reasons: readonly NameReason[] };

/** `dob` is YYYY-MM-DD or empty, countries are alpha-3. */
export type EvidenceSubject = { dob: string; countries: readonly string[] };

/** `birthDates` are YYYY, YYYY-MM, YYYY-MM-DD or a range YYYY/YYYY. */
export type EvidenceEntry = {
  birthDates: readonly string[];
  countries: readonly string[];
  isWeak: boolean;
};

export type WeighedMatch = {
  score: number;
  isHit: boolean;
  reasons: readonly NameReason[];
  dob: Evidence;
  country: Evidence;
};

/** A country weighs less: people live elsewhere than where they were born or are citizens. */
const effects = {
  dob: { same: 0.1, close: 0.05, other: -0.2, unknown: 0 },
  country: { same: 0.03, close: 0, other: -0.02, unknown: 0 },
} as const;

export function weighEvidence(
  { score: nameScore, reasons }: NameMatch,
  subject: EvidenceSubject,
  entry: EvidenceEntry,
): WeighedMatch {
  const dob: Evidence = {
    says: compareBirthDates(subject.dob, entry.birthDates),
    listed: [...entry.birthDates],
  };
  const country: Evidence = {
    says: compareCountries(subject.countries, entry.countries),
    listed: [...entry.countries],
  };
  const weighed = nameScore + effects.dob[dob.says] + effects.country[country.says];
  const score = Math.min(1, Math.max(0, weighed));
  // A weak alias is often a nickname that many people have.
  const agrees = dob.says === "same" || dob.says === "close" || country.says === "same";
  const isHit = score >= matchThreshold && (!entry.isWeak || agrees);
  return { score, isHit, reasons, dob, country };
}

function compareCountries(
  one: readonly string[],
  listed: readonly string[],
): "same" | "other" | "unknown" {
  if (one.length === 0 || listed.length === 0) return "unknown";
  return one.some((country) => listed.includes(country)) ? "same" : "other";
}

/** The best of the listed dates counts. */
function compareBirthDates(dob: string, listed: readonly string[]): Evidence["says"] {
  if (dob === "" || listed.length === 0) return "unknown";
  const found = listed.map((date) => compareBirthDate(dob, date));
  return (["same", "close", "other"] as const).find((says) => found.includes(says)) ?? "unknown";
}

function compareBirthDate(dob: string, listed: string): Evidence["says"] {
  const [year, month, day] = dob.split("-").map(Number) as [number, number, number];
  const range = /^(\d{4})\/(\d{4})$/.exec(listed);
  if (range) return year >= Number(range[1]) && year <= Number(range[2]) ? "close" : "other";
  const date = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(listed);
  if (!date) return "unknown";
  const [listedYear, listedMonth, listedDay] = date.slice(1).map(Number) as [
    number,
    number,
    number,
  ];
  // Lists often know the year only, and not for certain.
  if (date[3] === undefined) return Math.abs(year - listedYear) <= 1 ? "close" : "other";
  if (dob === listed) return "same";
  const isSwapped = month === listedDay && day === listedMonth;
  const equal = [year === listedYear, month === listedMonth, day === listedDay];
  const isSlip = equal.filter(Boolean).length === 2 && Math.abs(year - listedYear) <= 10;
  return (isSwapped && year === listedYear) || isSlip ? "close" : "other";
}
