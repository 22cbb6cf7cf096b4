// Schemas of imports and payout batches.

import Type, { type Static } from "typebox";
import { input, optional, Sum } from "../../../platform/fields/index.ts";
import { metadataSchema } from "../../../platform/metadata/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const BatchesQuery = input({
  limit: rowsField,
  cursor: optional(Type.String({ format: "uuid" })),
});
export type BatchesQuery = Static<typeof BatchesQuery>;

/** Payouts of one currency in one stage. */
export const PayoutBatchStage = Type.Object({
  currency: Type.String(),
  stage: Type.String(),
  payouts: Type.Number(),
  amount: Sum,
});
export type PayoutBatchStage = Static<typeof PayoutBatchStage>;

export const PayoutBatchLine = Type.Object({
  id: Type.String(),
  kind: Type.String({ enum: ["payouts", "receivers", "accounts", "retry", "api"] }),
  created_at: Type.Number(),
  created_by: Type.String(),
  approved_by: Type.Array(Type.String()),
  stages: Type.Array(PayoutBatchStage),
  is_partial: Type.Boolean({ description: "The batch has more payouts than were added up" }),
  /** Null for a batch that the API created. */
  file: orNull(
    Type.Object({
      name: Type.String(),
      rows: Type.Number(),
      created: Type.Number(),
      already_imported: Type.Number(),
      refused: Type.Number(),
      state: Type.String({ enum: ["running", "stopped", "done"] }),
      waiting: Type.Number({ description: "Rows that wait for a new receiver or account" }),
      waiting_ready: Type.Number({ description: "Of these, those that can be paid now" }),
    }),
  ),
});
export type PayoutBatchLine = Static<typeof PayoutBatchLine>;

const Total = Type.Object({ currency: Type.String(), payouts: Type.Number(), amount: Sum });

export const PayoutBatchDetail = Type.Object({
  ...PayoutBatchLine.properties,
  metadata: metadataSchema,
  retry_of: orNull(Type.String()),
  why_not: orNull(Type.String({ description: "Why this user can't approve its payouts" })),
  /** Payouts that a bank refused or returned, that were not retried, and whose receiver can be paid. */
  retryable: Type.Array(Total),
  /** The first refused rows of the file, for as long as they are kept. */
  refusals: Type.Array(
    Type.Object({
      row: Type.Number(),
      code: Type.String(),
      message: Type.String(),
      receiver: Type.String(),
      amount: orNull(Sum),
      currency: orNull(Type.String()),
      reference: Type.String(),
    }),
  ),
  can_retry_rows: Type.Boolean(),
  /** The first rows that wait for a new receiver or account, for as long as they are kept. */
  waiting_rows: Type.Array(
    Type.Object({
      row: Type.Number(),
      receiver_id: Type.String(),
      receiver: Type.String(),
      amount: Sum,
      currency: Type.String(),
      reference: Type.String(),
      state: Type.String({
        enum: ["ready", "account_waits", "account_declined", "identity_check", "receiver_blocked"],
      }),
    }),
  ),
});
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>;
