// Schemas of the search.

import Type, { type Static } from "typebox";
import { input, line, optional, required } from "../../../platform/fields/index.ts";

const q = required(Type.String({ minLength: 1, maxLength: 254, pattern: line }));

export const SearchQuery = input({ q });
export const SearchQueryInSubaccount = input({
  q,
  /** Only hits of this kind, for a list of choices. */
  kind: optional(Type.String({ enum: ["receiver"] })),
});

const hitKinds = [
  ...([
    "receiver",
    "payout",
    "batch",
    "account",
    "event",
    "request",
    "code",
    "subaccount",
  ] as const),
] as const;

const Marks = Type.Array(Type.Array(Type.Number()), {
  description: "Begin and end of each part that was searched for",
});

export const Hit = Type.Object({
  kind: Type.String({ enum: [...hitKinds] }),
  id: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  title_marks: Marks,
  detail_marks: Marks,
  subaccount_id: Type.String(),
  receiver_id: Type.Union([Type.String(), Type.Null()], {
    description: "The receiver of an account",
  }),
});
export type Hit = Static<typeof Hit>;
export const Hits = Type.Object({
  hits: Type.Array(Hit),
  words_since: Type.Union([Type.Number(), Type.Null()], {
    description:
      "Older receivers and payouts have no words yet and are found by whole values only. Null: all have",
  }),
});
export type Hits = Static<typeof Hits>;
