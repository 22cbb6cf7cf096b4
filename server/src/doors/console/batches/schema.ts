// Schemas of imports and payout batches.

import Type, { type Static } from "typebox";
import { input, optional, required, Sum } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { pageOf, rowsField } from "../../lists/index.ts";

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
  kind: Type.String({ enum: ["payouts", "receivers", "retry", "api"] }),
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
    }),
  ),
});
export type PayoutBatchLine = Static<typeof PayoutBatchLine>;
export const PayoutBatchPage = pageOf(PayoutBatchLine);
export type PayoutBatchPage = Static<typeof PayoutBatchPage>;

const Total = Type.Object({ currency: Type.String(), payouts: Type.Number(), amount: Sum });

export const PayoutBatchDetail = Type.Object({
  ...PayoutBatchLine.properties,
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
});
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>;

const totals = required(
  Type.Array(
    Type.Object(
      {
        currency: Type.String(),
        payouts: Type.Integer({ minimum: 1 }),
        amount: Type.Union([
          Type.Integer({ minimum: 1 }),
          Type.String({ pattern: "^[1-9][0-9]{0,30}$" }),
        ]),
      },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: limits.approvalsAtOnceMax,
      description: "The payouts and sums that the user was shown",
    },
  ),
);

export const BatchToDecide = input({ totals });
export const BatchToDecline = input({
  totals,
  reason: required(Type.String({ minLength: 1, maxLength: 200 })),
});
export type ShownTotals = Static<typeof BatchToDecide>["totals"];

/** A line of the response while a batch is decided or retried. */
export type BatchActLine =
  | { kind: "start"; rows: number; id: string }
  | {
      kind: "row";
      row: number;
      outcome: "created" | "approved" | "declined" | "refused";
      id: string;
      code: string;
      message: string;
    }
  | { kind: "end" }
  | { kind: "stopped"; message: string };
