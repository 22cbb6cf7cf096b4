// Screening: a subject, what matched an entry of a list, and the explanation of a hit. Types only.

import type { PersonKey } from "../../platform/encryption/index.ts";

export const subjectKinds = ["receiver", "account"] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** A name of a subject. People are compared with people, organisations with organisations and vessels. */
export type SubjectName = { text: string; kind: "person" | "organisation" };

/** A receiver or a receiver account, as it is screened. */
export type Subject = {
  kind: SubjectKind;
  subaccountId: string;
  id: string;
  /** The receiver itself, or the receiver of the account. */
  receiverId: string;
  names: readonly SubjectName[];
  /** YYYY-MM-DD; empty for an account. */
  dob: string;
  /** Alpha-3. */
  country: string;
  /** The key of the receiver, if it has one: a hit keeps what it says about the date of birth under it. */
  personKey: PersonKey | undefined;
};

/** `open` and `same` hold payouts of the receiver. `ended`: the entry is gone, or a newer hit replaced it. */
export const hitStatuses = ["open", "same", "different", "ended"] as const;
export type HitStatus = (typeof hitStatuses)[number];

/** How a word of the subject's name and a word of the listed name match. */
export type MatchedWord = { left: string; right: string; how: string; weight: number };

/** What a date of birth or a country says about a match. `unknown`: one side has none. */
export type Evidence = { says: "same" | "close" | "other" | "unknown"; listed: string[] };

/** Why a hit was opened. */
export type HitExplanation = {
  /** The subject at that time: it may have changed since. */
  subject: { name: string; dob: string; country: string };
  /** The name on the list that matched. Empty for an embargoed country. */
  listed_name: string;
  /** The publisher calls the name weak: it needs a date of birth or a country that agrees. */
  is_weak: boolean;
  words: MatchedWord[];
  dob: Evidence;
  country: Evidence;
  /** The date of birth and its evidence, under the key of the receiver: see sealed-evidence.ts. */
  sealed?: string;
};

/** A hit as it is written. */
export type NewHit = {
  list: string;
  entryKey: string;
  entryHash: string;
  subjectHash: string;
  score: number;
  explanation: HitExplanation;
};

export type HitKey = { subaccountId: string; id: string };
