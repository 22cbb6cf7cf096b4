// Schemas of a payout on hold in the review queue: the rules with their figures, receiver, account and history.

import Type, { type Static } from "typebox";
import { stageNames, statuses } from "../../../../money/payouts/index.ts";
import {
  AccountLine,
  caseFields,
  named,
  orNull,
  ReviewNote,
  Time,
} from "../../../review-list/index.ts";
import { HitLine } from "../hits/schema.ts";

const stage = named(...stageNames);
const status = named(...statuses);

export const HoldReasonLine = Type.Object({
  kind: named("rule", "screening"),
  name: Type.String({ description: "The name of the rule" }),
  figures: Type.String({ description: "What the rule compared, in words" }),
});
export type HoldReasonLine = Static<typeof HoldReasonLine>;

export const HoldCase = Type.Object({
  kind: Type.Literal("hold"),
  payout_id: Type.String(),
  ...caseFields,
  payout: Type.Object({
    amount: Type.Number(),
    currency: Type.String(),
    reference: Type.String(),
    note: Type.String(),
    stage,
    send_on: Type.String(),
    created_at: Time,
    created_by: Type.String(),
  }),
  reasons: Type.Array(HoldReasonLine),
  decided: orNull(
    Type.Object({
      decision: Type.String(),
      who: Type.String(),
      at: Time,
      reason: Type.String(),
    }),
  ),
  account: orNull(AccountLine),
  hits: Type.Array(HitLine, { description: "They hold every payout of the receiver" }),
  payouts: Type.Array(
    Type.Object({
      id: Type.String(),
      amount: Type.Number(),
      currency: Type.String(),
      status,
      stage,
      created_at: Time,
    }),
    { description: "The latest other payouts to the receiver" },
  ),
  history: Type.Array(
    Type.Object({ id: Type.String(), at: Time, who: Type.String(), stage, reason: Type.String() }),
  ),
  notes: Type.Array(ReviewNote),
  release_to: orNull(stage),
  why_not_release: orNull(
    Type.String({ description: "Why this user can't release it. Null: they can" }),
  ),
});
export type HoldCase = Static<typeof HoldCase>;

export const HoldDecided = Type.Object({ status: Type.String(), stage: Type.String() });
export type HoldDecided = Static<typeof HoldDecided>;
