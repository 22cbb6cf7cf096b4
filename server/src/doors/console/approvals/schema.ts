// Schemas of the approval queue.

import Type, { type Static, type TSchema } from "typebox";
import { isUuid, readSortedCursor } from "../../../platform/base/index.ts";
import { defineFormat, input, optional, required } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { sortedPageOf } from "../../lists/index.ts";
import { ShownFieldChange } from "../bank-changes/schema.ts";
import { WaitingAtBank } from "../bank-requests/schema.ts";
import { PayoutPreview } from "../payouts/schema.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });

defineFormat("approval-cursor", (text) => isUuid(text) || readSortedCursor(text) !== undefined);

export const ApprovalQuery = input({
  kind: optional(
    Type.String({ pattern: "^(payout|bank_change|key|rotation|limits|erasure|bank_request)$" }),
  ),
  subaccount_id: optional(uuid),
  limit: optional(Type.String({ pattern: "^\\d{1,3}$" })),
  sort: optional(Type.String({ pattern: "^-?(created|amount)$" })),
  cursor: optional(Type.String({ format: "approval-cursor" })),
});
export type ApprovalQuery = Static<typeof ApprovalQuery>;

/**
 * One of payout, change of bank details, request for a key, limits or an erasure, or what waits at a bank. The other three
 * are null.
 */
export const Approval = Type.Object({
  kind: Type.String({
    enum: ["payout", "bank_change", "key", "rotation", "limits", "erasure", "bank_request"],
  }),
  id: Type.String(),
  subaccount_id: Type.String(),
  subaccount_name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  made_by: Type.String(),
  made_at: Type.Number(),
  is_own: Type.Boolean({ description: "This user made it, and can't approve it" }),
  why_not: orNull(Type.String({ description: "Why this user can't approve it" })),
  receiver_id: Type.String(),
  receiver_name: Type.String(),
  account_id: orNull(Type.String()),
  account_number: Type.String({ description: "Masked" }),
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
      rules: Type.Array(
        Type.String({ description: "A rule that asks for approval, with figures" }),
      ),
      approved_by: Type.Array(Type.String()),
    }),
  ),
  change: orNull(
    Type.Object({
      is_new: Type.Boolean(),
      changes: Type.Array(ShownFieldChange),
      is_unreadable: Type.Boolean({
        description: "It can't be decrypted, so it can only be declined",
      }),
    }),
  ),
  request: orNull(
    Type.Object({
      object: Type.String({ description: "The key's name, or the currency. Empty for an erasure" }),
      changes: Type.Array(ShownFieldChange),
    }),
  ),
  bank: orNull(WaitingAtBank),
});
export type Approval = Static<typeof Approval>;

export const ApprovalPage = sortedPageOf(Approval);
export type ApprovalPage = Static<typeof ApprovalPage>;

export const ApprovalCount = Type.Object({
  count: Type.Number(),
  is_capped: Type.Boolean({ description: "There are more than were counted" }),
});
export type ApprovalCount = Static<typeof ApprovalCount>;

export const ManyPayouts = input({
  items: required(
    Type.Array(
      Type.Object({ subaccount_id: uuid, payout_id: uuid }, { additionalProperties: false }),
      { minItems: 1, maxItems: limits.approvalsAtOnceMax },
    ),
  ),
});
export type ManyPayouts = Static<typeof ManyPayouts>;

/** One result per payout, in the order of the request. */
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
