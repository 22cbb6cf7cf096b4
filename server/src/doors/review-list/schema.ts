// Schemas of the review queue.

import Type, { type Static } from "typebox";
import { noteAudiences } from "../../people/reviews/index.ts";
import { defineFormat, input, optional } from "../../platform/fields/index.ts";
import { pageOf, rowsField } from "../lists/index.ts";
import { readReviewCursor } from "./cursor.ts";
import { AccountLine, HistoryLine, ReportLine, stateFields } from "./receivers/schema.ts";
import { urgencies } from "./review.ts";

export const Time = Type.Number({ description: "Milliseconds since the Unix epoch" });

defineFormat("review-cursor", (text) => readReviewCursor(text) !== undefined);

const tabs = ["mine", "unassigned", "all", "decided"] as const;
export type Tab = (typeof tabs)[number];

/** identity: an identity check. hit: a match with a sanctions list. hold: a payout that is on hold. */
export const caseKinds = ["identity", "hit", "hold"] as const;
export type CaseKind = (typeof caseKinds)[number];

export const ReviewsFilter = input({
  tab: optional(Type.String({ enum: [...tabs] })),
  kind: optional(Type.String({ enum: [...caseKinds] })),
  subaccount_id: optional(Type.String({ format: "known-id" })),
  limit: rowsField,
  cursor: optional(Type.String({ format: "review-cursor" })),
});
export type ReviewsFilter = Static<typeof ReviewsFilter>;

export const orNull = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
export const named = <Name extends string>(...names: Name[]) =>
  Type.Unsafe<Name>({ type: "string", enum: names });

const Claim = orNull(Type.Object({ who: Type.String(), is_mine: Type.Boolean(), until: Time }));

const Subaccount = Type.Object({ id: Type.String(), name: Type.String(), mode: Type.String() });

export const ReviewLine = Type.Object({
  id: Type.String({ description: "The id of the case, or of the decision" }),
  kind: named<CaseKind>(...caseKinds),
  case_id: Type.String({ description: "The id of the receiver, the hit or the payout" }),
  subaccount: Subaccount,
  receiver_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  country: Type.String(),
  ...stateFields,
  provider: Type.String(),
  why: Type.String({ enum: ["new", "on_hold", "approved_after_rejection", "asked_for_more"] }),
  since: Time,
  urgency: Type.String({ enum: [...urgencies] }),
  claim: Claim,
  approvals: Type.Number({ description: "Users who agreed so far, if two are needed" }),
  hit: orNull(
    Type.Object({
      list: Type.String(),
      listed_name: Type.String(),
      score: Type.Number(),
      entries: Type.Number({
        description: "Open hits of the case: those of one person, over all lists",
      }),
    }),
  ),
  hold: orNull(Type.Object({ amount: Type.Number(), currency: Type.String() })),
  decision: orNull(
    Type.Object({
      outcome: Type.String({
        enum: ["approved", "rejected", "retry", "same", "different", "released", "refused"],
      }),
      who: Type.String(),
      reason: Type.String(),
      at: Time,
    }),
  ),
});
export type ReviewLine = Static<typeof ReviewLine>;
export const ReviewsPage = pageOf(ReviewLine);
export type ReviewsPage = Static<typeof ReviewsPage>;

export const ReviewsCount = Type.Object({
  count: Type.Number({ description: "Counted up to 100" }),
  is_capped: Type.Boolean(),
  kinds: Type.Array(
    Type.Object({
      kind: named<CaseKind>(...caseKinds),
      count: Type.Number(),
      oldest: orNull(Time),
    }),
  ),
});
export type ReviewsCount = Static<typeof ReviewsCount>;

export const ReviewCheck = Type.Object({
  name: Type.String(),
  result: Type.String({ enum: ["pass", "warn", "fail"] }),
  reason: Type.String(),
});
export type ReviewCheck = Static<typeof ReviewCheck>;

export const Duplicate = Type.Object({
  kind: Type.Union([Type.Literal("phone"), Type.Literal("birth"), Type.Literal("bank_account")]),
  receiver_id: Type.String(),
  name: Type.String(),
  ...stateFields,
});
export type Duplicate = Static<typeof Duplicate>;

export const Foreseen = Type.Object({
  is_allowed: Type.Boolean(),
  needs_proof: Type.Boolean({ description: "The user has to confirm their identity again" }),
  needs_second: Type.Boolean({ description: "A second user has to approve as well" }),
  event: orNull(
    Type.String({ description: "The body of the event that would be sent. Null: none" }),
  ),
});
export type Foreseen = Static<typeof Foreseen>;

/** What every kind of case has. */
export const caseFields = {
  subaccount: Subaccount,
  receiver_id: Type.String(),
  version: Type.String({ description: "A decision names the version that it is about" }),
  ...stateFields,
  waits: Type.Boolean(),
  since: Time,
  urgency: Type.String({ enum: [...urgencies] }),
  claim: Claim,
  receiver: Type.Object({
    first_name: Type.String(),
    middle_name: Type.String(),
    last_name: Type.String(),
    dob: Type.String(),
    gender: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    address: Type.String(),
    address2: Type.String(),
    city: Type.String(),
    state: Type.String(),
    postcode: Type.String(),
    country: Type.String(),
    reference: Type.String(),
    provider: Type.String(),
    applicant_id: Type.String(),
    created_at: Time,
  }),
};

export const ReviewCase = Type.Object({
  kind: Type.Literal("identity"),
  ...caseFields,
  accounts: Type.Array(AccountLine),
  checks: Type.Array(ReviewCheck),
  duplicates: Type.Array(Duplicate),
  reports: Type.Array(ReportLine),
  history: Type.Array(HistoryLine),
  approvals: Type.Array(Type.Object({ who: Type.String(), is_mine: Type.Boolean(), at: Time }), {
    description: "The first of two approvals",
  }),
  verdicts: Type.Object({ approve: Foreseen, reject: Foreseen, retry: Foreseen }),
});
export type ReviewCase = Static<typeof ReviewCase>;

export type Decided = Static<typeof Decided>;
export const Decided = Type.Object({
  is_decided: Type.Boolean({ description: "False: the first of two approvals" }),
  ...stateFields,
});
export const Claimed = Type.Object({ claim: Claim });

export const ReviewNote = Type.Object({
  id: Type.String(),
  who: Type.String(),
  at: Time,
  audience: named(...noteAudiences),
  note: Type.String(),
});
export type ReviewNote = Static<typeof ReviewNote>;

export const Asked = Type.Object({ notes: Type.Array(ReviewNote) });
