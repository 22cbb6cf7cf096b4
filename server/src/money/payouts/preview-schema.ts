// The schema of a validated payout: the answer of the dry run.

import Type, { type Static } from "typebox";
import type { Code } from "../../platform/refusals/index.ts";
import { approvalRules } from "./payout.ts";

export const ValidatedPayout = Type.Object(
  {
    accepted: Type.Boolean({ description: "Whether it would be created now" }),
    problems: Type.Array(
      Type.Object({
        code: Type.Unsafe<Code>(Type.String()),
        message: Type.String(),
        field: Type.Optional(Type.String()),
      }),
      {
        description:
          "Why it would be refused: every reason, first the one that the creation would name",
      },
    ),
    fee: Type.Union([Type.Null(), Type.Number()], {
      description: "Minor units; 0 where it costs nothing. Null: no bank is connected for it",
    }),
    sent_amount: Type.Union([Type.Null(), Type.Number()], {
      description:
        "What would go to the bank, in minor units. Together with the fee it is taken from the balance. Null: nothing",
    }),
    needs_approval: Type.Boolean({ description: "Whether it would wait for a second user" }),
    approval_rules: Type.Array(Type.String({ enum: [...approvalRules] }), {
      description: "The thresholds by which it would wait; empty where another rule asks for it",
    }),
    needs_review: Type.Boolean({ description: "Whether it would be on hold for a review" }),
    process_date: Type.String({
      description:
        "The banking day on which the bank would pay it, YYYY-MM-DD; empty in test mode, or if it would be refused",
    }),
    expected_arrival: Type.String({
      description: "When the receiver should have the money, YYYY-MM-DD; empty likewise",
    }),
  },
  { title: "ValidatedPayout" },
);
export type ValidatedPayout = Static<typeof ValidatedPayout>;
