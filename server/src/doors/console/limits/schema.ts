// Schemas of a subaccount's limits and thresholds.

import Type, { type Static } from "typebox";
import { input, optional, required } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
// Declares the format `currency`.
import "../../../money/ledger/index.ts";

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

export const LimitsChange = input({
  currency: required(Type.String({ format: "currency" })),
  per_payout_max: required(amount(1)),
  per_day_max: required(amount(1)),
  approval_above: required(amount(0)),
  /** Absent: unchanged. */
  batch_approval_above: optional(amount(0)),
  receiver_day_approval_above: optional(amount(0)),
  account_day_approval_above: optional(amount(0)),
});
export type LimitsChange = Static<typeof LimitsChange>;

export const ChangedLimits = Type.Object({
  currency: Type.String(),
  /** Looser limits of the change: another admin has to approve them. */
  awaits_approval: Type.Boolean(),
  /** Stricter limits of the change are in force. */
  applied: Type.Boolean(),
});
export type ChangedLimits = Static<typeof ChangedLimits>;
