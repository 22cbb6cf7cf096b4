// Schemas of the approval queue.

import Type, { type Static, type TSchema } from "typebox";
import { isUuid, readSortedCursor } from "../../../platform/base/index.ts";
import { defineFormat, input, optional, required, Sum } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { sortedPageOf } from "../../lists/index.ts";
import { ShownFieldChange } from "../bank-changes/schema.ts";
import { WaitingAtBank } from "../bank-requests/schema.ts";
import { PayoutPreview } from "../payouts/schema.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });

/** What waits in a subaccount. */
const kindsOfSubaccount = [
  "payout",
  "batch",
  "resolution",
  "bank_change",
  "key",
  "rotation",
  "limits",
  "erasure",
] as const;
/** What waits for the company. */
export const companyKinds = [
  "bank_file",
  "bank_discard",
  "bank_request",
  "bank_connection",
  "rules",
  "screening_list",
  "finance_approval",
  "token",
] as const;
export type CompanyKind = (typeof companyKinds)[number];
const approvalKinds = [...kindsOfSubaccount, ...companyKinds] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

defineFormat("approval-cursor", (text) => isUuid(text) || readSortedCursor(text) !== undefined);

export const ApprovalQuery = input({
  kind: optional(
    Type.Unsafe<ApprovalKind>(Type.String({ pattern: `^(${approvalKinds.join("|")})$` })),
  ),
  subaccount_id: optional(uuid),
  limit: optional(Type.String({ pattern: "^\\d{1,3}$" })),
  sort: optional(Type.String({ pattern: "^(due|-?(created|amount))$" })),
  cursor: optional(Type.String({ format: "approval-cursor" })),
});
export type ApprovalQuery = Static<typeof ApprovalQuery>;

const Totals = Type.Array(
  Type.Object({ currency: Type.String(), payouts: Type.Number(), amount: Sum }),
);

/** What waits for a second user. Of `payout` to `bank`, those that its kind has not are null. */
export const Approval = Type.Object({
  kind: Type.Unsafe<ApprovalKind>(Type.String({ enum: [...approvalKinds] })),
  id: Type.String(),
  subaccount_id: Type.String({ description: "Empty: it belongs to the company" }),
  subaccount_name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  made_by: Type.String(),
  made_at: Type.Number(),
  is_own: Type.Boolean({ description: "This user made it, and can't approve it" }),
  why_not: orNull(Type.String({ description: "Why this user can't approve it" })),
  cutoff: orNull(Type.Number({ description: "When the bank stops to take the file" })),
  expires_at: orNull(Type.Number({ description: "From then on it can't be approved any more" })),
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
      object: Type.String({
        description: "The key's name, the currency, the connection, the list or the version",
      }),
      verb: Type.String({ description: "add, change, enable, or the proposed outcome" }),
      note: Type.String({ description: "What its maker wrote" }),
      changes: Type.Array(ShownFieldChange),
    }),
  ),
  /** Of the payouts of a batch that wait, or of the payout that a user ended by hand. */
  sums: orNull(
    Type.Object({
      totals: Totals,
      /** Why they wait, each reason once. */
      reasons: Type.Array(
        Type.Object({
          ...PayoutPreview.properties.approval.items.properties,
          currency: Type.String(),
        }),
      ),
      is_partial: Type.Boolean({ description: "More payouts wait than were added up" }),
    }),
  ),
  file: orNull(
    Type.Object({
      connection_name: Type.String(),
      file_name: Type.String(),
      process_date: Type.String(),
      payouts: Type.Number(),
      total: Sum,
      currency: Type.String(),
      account: Type.String({ description: "Our account, masked" }),
      sha256: Type.String(),
      approved_by: Type.Array(Type.String()),
      approvals_missing: Type.Number(),
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
