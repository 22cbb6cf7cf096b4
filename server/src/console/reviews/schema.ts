// Schemas of the review queue.

import Type, { type Static } from "typebox";
import { defineFormat, line } from "../../fields/fields.ts";
import { input, optional, required } from "../fields.ts";
import { pageOf, rowsField } from "../paging.ts";
import { AccountLine, HistoryLine, ReportLine, stateFields } from "../receivers/schema.ts";
import { readReviewCursor } from "./cursor.ts";
import { rejectReasons, urgencies } from "./review.ts";

const Time = Type.Number({ description: "Milliseconds since the Unix epoch" });

defineFormat("review-cursor", (text) => readReviewCursor(text) !== undefined);

const tabs = ["mine", "unassigned", "all", "decided"] as const;
export type Tab = (typeof tabs)[number];

export const ReviewsFilter = input({
  tab: optional(Type.String({ enum: [...tabs] })),
  subaccount_id: optional(Type.String({ format: "known-id" })),
  limit: rowsField,
  cursor: optional(Type.String({ format: "review-cursor" })),
});
export type ReviewsFilter = Static<typeof ReviewsFilter>;

const Claim = Type.Union([
  Type.Object({ who: Type.String(), is_mine: Type.Boolean(), until: Time }),
  Type.Null(),
]);

const Subaccount = Type.Object({ id: Type.String(), name: Type.String(), mode: Type.String() });

export const ReviewLine = Type.Object({
  id: Type.String({ description: "The id of the receiver, or of the decision" }),
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
  approvals: Type.Number({ description: "Approvals so far, if two are needed" }),
  decision: Type.Union([
    Type.Object({
      outcome: Type.String({ enum: ["approved", "rejected", "retry"] }),
      who: Type.String(),
      reason: Type.String(),
      at: Time,
    }),
    Type.Null(),
  ]),
});
export type ReviewLine = Static<typeof ReviewLine>;
export const ReviewsPage = pageOf(ReviewLine);
export type ReviewsPage = Static<typeof ReviewsPage>;

export const ReviewsCount = Type.Object({
  count: Type.Number({ description: "Counted up to 100" }),
  is_capped: Type.Boolean(),
});

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
  event: Type.Union([Type.String(), Type.Null()], {
    description: "The body of the event that would be sent. Null: none",
  }),
});
export type Foreseen = Static<typeof Foreseen>;

export const ReviewCase = Type.Object({
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

const text = Type.String({ minLength: 1, maxLength: 500, pattern: line });
const version = required(Type.String({ minLength: 1, maxLength: 100 }));

export const Approve = input({ version, reason: required(text) });
export const Reject = input({
  version,
  reason_code: required(Type.String({ enum: Object.keys(rejectReasons) })),
  note: required(text),
  final: required(Type.Boolean()),
});
export const NeedMore = input({ version, note: required(text) });

export type Decided = Static<typeof Decided>;
export const Decided = Type.Object({
  is_decided: Type.Boolean({ description: "False: the first of two approvals" }),
  ...stateFields,
});
export const Claimed = Type.Object({ claim: Claim });
