// Schemas of a hit in the review queue: the receiver and the list entry side by side, and what a decision does.

import Type, { type Static } from "typebox";
import { hitStatuses, subjectKinds } from "../../../../people/screening/index.ts";
import { caseFields, named, orNull, ReviewNote, Time } from "../../../review-list/index.ts";

/** What a date of birth or a country says about the match. */
const Evidence = Type.Object({
  says: named("same", "close", "other", "unknown"),
  listed: Type.Array(Type.String()),
});

export const HitLine = Type.Object({
  id: Type.String(),
  list: Type.String(),
  listed_name: Type.String(),
  score: Type.Number(),
  status: named(...hitStatuses),
  opened_at: Time,
});
export type HitLine = Static<typeof HitLine>;

export const HeldLine = Type.Object({
  payout_id: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  reference: Type.String(),
  since: Time,
  why_not: orNull(
    Type.String({ description: "Why this user can't release it with the hit. Null: they can" }),
  ),
});
export type HeldLine = Static<typeof HeldLine>;

/** A hit with what a decision about it needs. */
const HitEntry = Type.Object({
  id: Type.String(),
  version: Type.String({ description: "A decision names the version that it is about" }),
  hit: Type.Object({
    ...HitLine.properties,
    entry_key: Type.String(),
    subject: named(...subjectKinds),
    first: orNull(
      Type.Object(
        { who: Type.String(), is_mine: Type.Boolean(), at: Time, reason: Type.String() },
        { description: "The first of two users who say that it is the same person" },
      ),
    ),
    decided: orNull(Type.Object({ who: Type.String(), at: Time, reason: Type.String() })),
  }),
  compared: Type.Object({
    subject: Type.Object({ name: Type.String(), dob: Type.String(), country: Type.String() }),
    is_weak: Type.Boolean({ description: "The publisher calls the listed name weak" }),
    words: Type.Array(
      Type.Object({
        left: Type.String(),
        right: Type.String(),
        how: Type.String(),
        weight: Type.Number(),
      }),
    ),
    dob: Evidence,
    country: Evidence,
  }),
  entry: orNull(
    Type.Object({
      kind: Type.String(),
      names: Type.Array(Type.Object({ text: Type.String(), is_weak: Type.Boolean() })),
      birth_dates: Type.Array(Type.String()),
      countries: Type.Array(Type.String()),
      program: Type.String(),
      remarks: Type.String(),
    }),
  ),
  decisions: Type.Object({
    different: Type.Boolean({ description: "This user can say that it is a different person" }),
    why_not_different: orNull(Type.String()),
    same: Type.Boolean({ description: "This user can say that it is the same person" }),
    needs_second: Type.Boolean({ description: "Another user has to say the same afterwards" }),
  }),
});
export type HitEntry = Static<typeof HitEntry>;

export const HitCase = Type.Object({
  kind: Type.Literal("hit"),
  ...caseFields,
  ...HitEntry.properties,
  others: Type.Array(HitEntry, {
    description:
      "The other open hits of the same person, over all lists: one decision is about all",
  }),
  account: orNull(
    Type.Object({
      id: Type.String(),
      business_name: Type.String(),
      account_number: Type.String(),
      bank_name: Type.String(),
      country: Type.String(),
    }),
  ),
  other_hits: Type.Array(HitLine, {
    description: "Hits of the receiver that are cases of their own",
  }),
  held: Type.Array(HeldLine),
  notes: Type.Array(ReviewNote),
});
export type HitCase = Static<typeof HitCase>;

export const HitDecided = Type.Object({
  is_decided: Type.Boolean({ description: "False: the first of two users" }),
  status: named(...hitStatuses),
  released: Type.Array(Type.String(), { description: "The payouts that were released" }),
});
export type HitDecided = Static<typeof HitDecided>;
