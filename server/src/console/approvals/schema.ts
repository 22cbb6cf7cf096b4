// The approval queue on the wire: what waits for a second user.

import Type, { type Static, type TSchema } from "typebox";
import { limits } from "../../limits.ts";
import { ShownFieldChange } from "../bank-changes/schema.ts";
import { input, optional, required } from "../fields.ts";
import { PayoutPreview } from "../payouts/schema.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });

export const ApprovalQuery = input({
  kind: optional(Type.String({ pattern: "^(payout|bank_change|key|limits)$" })),
  subaccount_id: optional(uuid),
  limit: optional(Type.String({ pattern: "^\\d{1,3}$" })),
  cursor: optional(uuid),
});
export type ApprovalQuery = Static<typeof ApprovalQuery>;

/** A payout, a change of bank details, or a key or limits that wait: what it is not is null. */
export const Approval = Type.Object({
  kind: Type.String({ enum: ["payout", "bank_change", "key", "limits"] }),
  id: Type.String(),
  subaccount_id: Type.String(),
  subaccount_name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  made_by: Type.String(),
  made_at: Type.Number(),
  is_own: Type.Boolean({ description: "The person who asks has made it, and can't approve it" }),
  why_not: orNull(Type.String({ description: "Why the person who asks can't approve it" })),
  receiver_id: Type.String(),
  receiver_name: Type.String(),
  account_id: orNull(Type.String()),
  account_number: Type.String({ description: "By its end alone" }),
  country: Type.String(),
  payout: orNull(
    Type.Object({
      amount: Type.Number(),
      currency: Type.String(),
      reference: Type.String(),
      note: Type.String(),
      batch_id: orNull(Type.String()),
      bank_name: Type.String(),
      reasons: PayoutPreview.properties.approval,
    }),
  ),
  change: orNull(
    Type.Object({
      is_new: Type.Boolean(),
      changes: Type.Array(ShownFieldChange),
      is_unreadable: Type.Boolean({ description: "It can't be decrypted, and only be declined" }),
    }),
  ),
  request: orNull(
    Type.Object({
      object: Type.String({ description: "The key's name, or the currency" }),
      changes: Type.Array(ShownFieldChange),
      alone_at: orNull(Type.Number({ description: "When the person who asked may apply it" })),
    }),
  ),
});
export type Approval = Static<typeof Approval>;

export const ApprovalPage = Type.Object({
  rows: Type.Array(Approval),
  next: orNull(Type.String()),
});
export type ApprovalPage = Static<typeof ApprovalPage>;

export const ApprovalCount = Type.Object({
  count: Type.Number(),
  is_capped: Type.Boolean({ description: "There are more than were counted" }),
});
export type ApprovalCount = Static<typeof ApprovalCount>;

export const DecidedPayout = Type.Object({
  payout_id: Type.String(),
  status: Type.String(),
  stage: Type.String(),
});
export type DecidedPayout = Static<typeof DecidedPayout>;

export const ManyPayouts = input({
  items: required(
    Type.Array(
      Type.Object({ subaccount_id: uuid, payout_id: uuid }, { additionalProperties: false }),
      { minItems: 1, maxItems: limits.approvalsAtOnceMax },
    ),
  ),
});
export type ManyPayouts = Static<typeof ManyPayouts>;

/** One for each, in their order. */
export const ManyDecided = Type.Object({
  results: Type.Array(
    Type.Object({
      subaccount_id: Type.String(),
      payout_id: Type.String(),
      outcome: Type.String({ enum: ["approved", "refused"] }),
      code: orNull(Type.String()),
      message: orNull(Type.String()),
    }),
  ),
});
export type ManyDecided = Static<typeof ManyDecided>;
