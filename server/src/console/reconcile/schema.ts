// What the reconciliation asks for and shows. All days are days of UTC, as they are in the books.

import Type, { type Static, type TSchema } from "typebox";
import { input, optional, required, Sum } from "../fields.ts";

const monthPattern = "^(20\\d\\d)-(0[1-9]|1[0-2])$";
const time = Type.String({ pattern: "^\\d{1,15}$" });

/** A month, or days; the current month when there is neither. */
const period = {
  month: optional(Type.String({ pattern: monthPattern })),
  /** The beginning of a day, in ms, and that of the day after the last one. */
  from: optional(time),
  to: optional(time),
};
export const ReconcileQuery = input({
  ...period,
  /** All that the subaccount has when absent. */
  currency: optional(Type.String({ format: "currency" })),
});
export type ReconcileQuery = Static<typeof ReconcileQuery>;

export const StatementQuery = input({
  ...period,
  currency: required(Type.String({ format: "currency" })),
});

export const MonthToClose = input({
  month: required(Type.String({ pattern: monthPattern })),
  currency: required(Type.String({ format: "currency" })),
});
export type MonthToClose = Static<typeof MonthToClose>;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Amount = Sum;
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });

/** What changes the balance, and beside it what only moved within it. */
const flows = {
  funded: Amount,
  paid: Amount,
  returned: Amount,
  fees: Amount,
  reversed: Amount,
  /** For information: given back before they were paid. */
  rejected: Amount,
  released: Amount,
};

const Day = Type.Object({ day: TimeMs, ...flows, closing: Amount });

/** What is compared, and by how much the two sides differ. */
const ReconcileDifference = Type.Object({
  what: Type.String({ enum: ["transfers", "running", "balance", "payouts", "closed"] }),
  amount: Amount,
});
export type ReconcileDifference = Static<typeof ReconcileDifference>;

const Aged = Type.Object({
  age: Type.String(),
  /** Those made not before, and before. */
  from: orNull(TimeMs),
  to: TimeMs,
  held: Type.Number(),
  held_amount: Amount,
  clearing: Type.Number(),
  clearing_amount: Amount,
});

const Balance = Type.Object({
  currency: Type.String(),
  /** Moves that are not added up yet. */
  behind: Type.Number(),
  opening: Amount,
  ...flows,
  closing: Amount,
  /** What the closing balance is made of. */
  available: Amount,
  held: Amount,
  clearing: Amount,
  returns: Amount,
  /** Nothing: the books, their sums and the payouts say the same. */
  drift: Amount,
  differences: Type.Array(ReconcileDifference),
  days: Type.Array(Day),
  /** Payouts under way now, by their age. */
  exceptions: Type.Array(Aged),
  closed: orNull(Type.Object({ at: TimeMs, by: Type.String() })),
  /** Whether it is a month that can be closed now. */
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
