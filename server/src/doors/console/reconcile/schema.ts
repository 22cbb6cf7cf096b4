// Schemas of the reconciliation. All days are UTC days, as in the ledger.

import Type, { type Static, type TSchema } from "typebox";
import { input, monthPattern, optional, required, Sum } from "../../../platform/fields/index.ts";

const time = Type.String({ pattern: "^\\d{1,15}$" });

/** A month or a range of days. Default: the current month. */
const period = {
  month: optional(Type.String({ pattern: monthPattern })),
  /** The start of the first day, and of the day after the last one, in ms. */
  from: optional(time),
  to: optional(time),
};
export const ReconcileQuery = input({
  ...period,
  /** Default: all currencies of the subaccount. */
  currency: optional(Type.String({ format: "currency" })),
});
export type ReconcileQuery = Static<typeof ReconcileQuery>;

export const StatementQuery = input({
  ...period,
  currency: required(Type.String({ format: "currency" })),
});
export type StatementQuery = Static<typeof StatementQuery>;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Amount = Sum;
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });

/** Amounts that change the balance. `rejected` and `released` only move within it. */
const flows = {
  funded: Amount,
  paid: Amount,
  returned: Amount,
  fees: Amount,
  reversed: Amount,
  /** For information: returned to the balance before payment. */
  rejected: Amount,
  released: Amount,
};

const Day = Type.Object({ day: TimeMs, ...flows, closing: Amount });

/** A comparison and its difference. */
const ReconcileDifference = Type.Object({
  what: Type.String({ enum: ["transfers", "running", "balance", "payouts", "closed"] }),
  amount: Amount,
});
export type ReconcileDifference = Static<typeof ReconcileDifference>;

const Aged = Type.Object({
  age: Type.String(),
  /** Payouts created in this time range. */
  from: orNull(TimeMs),
  to: TimeMs,
  held: Type.Number(),
  held_amount: Amount,
  clearing: Type.Number(),
  clearing_amount: Amount,
});

const Balance = Type.Object({
  currency: Type.String(),
  /** Transfers that are not in the roll-ups yet. */
  behind: Type.Number(),
  opening: Amount,
  ...flows,
  closing: Amount,
  /** The parts of the closing balance. */
  available: Amount,
  held: Amount,
  clearing: Amount,
  returns: Amount,
  /** 0: ledger, roll-ups and payouts agree. */
  drift: Amount,
  differences: Type.Array(ReconcileDifference),
  days: Type.Array(Day),
  /** Payouts that are not final, by age. */
  exceptions: Type.Array(Aged),
  closed: orNull(Type.Object({ at: TimeMs, by: Type.String() })),
  /** Whether the month can be closed now. */
  is_closable: Type.Boolean(),
});
export type ReconciledBalance = Static<typeof Balance>;

export const Reconciliation = Type.Object({
  as_of: TimeMs,
  from: TimeMs,
  to: TimeMs,
  month: orNull(Type.String()),
  currencies: Type.Array(Type.String()),
  balances: Type.Array(Balance),
});
export type Reconciliation = Static<typeof Reconciliation>;

export const ClosedAnswer = Type.Object({
  month: Type.String(),
  currency: Type.String(),
  closing: Amount,
  closed: Type.Object({ at: TimeMs, by: Type.String() }),
});
