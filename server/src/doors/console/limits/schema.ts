// Schemas of a subaccount's limits and thresholds.

import Type, { type Static } from "typebox";
import { limits } from "../../../platform/limits/index.ts";

const maximum = Number(limits.amountMax);
const amount = (minimum: number) => Type.Union([Type.Null(), Type.Integer({ minimum, maximum })]);

/** Null: no limit. */
export const LimitsLine = Type.Object({
  currency: Type.String(),
  per_payout_max: amount(1),
  per_day_max: amount(1),
  approval_above: amount(0),
  batch_approval_above: amount(0),
  receiver_day_approval_above: amount(0),
  account_day_approval_above: amount(0),
});
export type LimitsLine = Static<typeof LimitsLine>;

/** Looser limits that wait for another admin: only those that would change. */
export const WaitingLimits = Type.Object({
  currency: Type.String(),
  made_by: Type.String(),
  made_at: Type.Number(),
  changes: Type.Array(
    Type.Object({
      field: Type.String(),
      before: Type.Union([Type.Null(), Type.Number()]),
      after: Type.Union([Type.Null(), Type.Number()]),
    }),
  ),
});
export type WaitingLimits = Static<typeof WaitingLimits>;

export const Limits = Type.Object({
  rows: Type.Array(LimitsLine),
  waiting: Type.Array(WaitingLimits),
  /** The thresholds of every other currency, in its units. Null: none. */
  default_units: Type.Union([Type.Null(), Type.Number()]),
});
export type Limits = Static<typeof Limits>;
