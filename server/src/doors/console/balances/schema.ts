// Schemas of the balances of a subaccount: now, their trend, their lines, and test funds. All days are UTC days.

import Type, { type Static, type TSchema } from "typebox";
import { input, optional, required, Sum } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });

const standing = { available: Sum, held: Sum, in_transit: Sum };

const Lasting = Type.Object({
  /** Whole days. */
  days: Type.Number(),
  /** What payouts and their fees took from the available balance on an average day, less what came back. */
  average: Sum,
  /** The whole days before today that the average covers. */
  of_days: Type.Number(),
});
export type Lasting = Static<typeof Lasting>;

const BalanceOfCurrency = Type.Object({
  currency: Type.String(),
  ...standing,
  /** Transfers that are not in the roll-ups yet. Until it is 0, the trend is incomplete. */
  behind: Type.Number(),
  /** At the end of each day; today: now. */
  trend: Type.Array(Type.Object(standing)),
  /** How long the available balance lasts. Null: there are too few days, or nothing was paid. */
  lasts: orNull(Lasting),
});
export type BalanceOfCurrency = Static<typeof BalanceOfCurrency>;

export const BalancesNow = Type.Object({
  as_of: TimeMs,
  /** The starts of the days of the trend, oldest first. The last one is today. */
  days: Type.Array(TimeMs),
  balances: Type.Array(BalanceOfCurrency),
});
export type BalancesNow = Static<typeof BalancesNow>;

const monthOfBalance = {
  currency: required(Type.String({ format: "currency" })),
  /** Default: the current month. */
  month: optional(Type.String({ pattern: "^(20\\d\\d)-(0[1-9]|1[0-2])$" })),
};

export const BalanceLinesQuery = input({
  ...monthOfBalance,
  limit: rowsField,
  cursor: optional(Type.String({ maxLength: 100 })),
});
export type BalanceLinesQuery = Static<typeof BalanceLinesQuery>;

export const BalanceLine = Type.Object({
  id: Type.String(),
  number: Type.Number(),
  at: TimeMs,
  kind: Type.String(),
  description: Type.String(),
  /** The receiver of a payout, or who paid in. Empty where it is not known. */
  party: Type.String(),
  reference: Type.String(),
  payout_id: orNull(Type.String()),
  /** Above zero: money came in. */
  amount: Sum,
  /** The whole balance after the line: available, held and in transit. */
  balance: Sum,
});
export type BalanceLine = Static<typeof BalanceLine>;

export const MoneyFlowQuery = input(monthOfBalance);
export type MoneyFlowQuery = Static<typeof MoneyFlowQuery>;

/** Opening balance and what came in are what went out and the closing balance. */
export const MoneyFlow = Type.Object({
  currency: Type.String(),
  month: Type.String(),
  /** Transfers that are not in the roll-ups yet. */
  behind: Type.Number(),
  opening: Sum,
  /** In. */
  funded: Sum,
  returned: Sum,
  fees_refunded: Sum,
  /** Out. */
  paid: Sum,
  fees: Sum,
  reversed: Sum,
  closing: Sum,
  /** The parts of the closing balance. */
  ...standing,
  /** For information: these amounts never left the balance. */
  rejected: Sum,
  released: Sum,
  /** Always 0, unless the books do not agree. */
  difference: Sum,
});
export type MoneyFlow = Static<typeof MoneyFlow>;

export const TestFundsAdded = Type.Object({ currency: Type.String(), ...standing });
export type TestFundsAdded = Static<typeof TestFundsAdded>;
