// Schemas of Reconcile: where the money is, bank connections against the books, statements and their lines.

import Type, { type Static, type TSchema } from "typebox";
import { input, monthPattern, optional, required, Sum } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });
const month = Type.String({ pattern: monthPattern });
/** How many rows come before the page, in lists that are bounded as a whole. */
const placeField = optional(Type.String({ pattern: "^\\d{1,5}$" }));
const mode = Type.String({ enum: ["live", "test"] });

/** All money of a mode and a currency: by whose it is, and by where banks say it is. */
export const MoneyPicture = Type.Object({
  mode,
  currency: Type.String(),
  /** Of all subaccounts. */
  available: Sum,
  held: Sum,
  in_transit: Sum,
  suspense: Sum,
  fees: Sum,
  /** The company's own. It can be below zero. */
  company: Sum,
  /** The sum of them: what the books say is at banks. */
  books: Sum,
  banks: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** By its last statement. Null: there is none. */
      balance: orNull(Sum),
      to_day: orNull(Type.String()),
    }),
  ),
  /** What the books have and no statement does. */
  not_on_statements: Sum,
});
export type MoneyPicture = Static<typeof MoneyPicture>;
export const MoneyPictures = Type.Object({ rows: Type.Array(MoneyPicture) });
export type MoneyPictures = Static<typeof MoneyPictures>;

const ofMoney = {
  mode: required(Type.String({ pattern: "^(live|test)$" })),
  currency: required(Type.String({ format: "currency" })),
  limit: rowsField,
};

export const HolderQuery = input({
  ...ofMoney,
  of: required(Type.String({ pattern: "^(available|held|clearing|fees)$" })),
  /** Amount and subaccount of the last row. */
  cursor: optional(Type.String({ pattern: "^-?\\d{1,19}\\.[0-9a-f-]{36}$" })),
});
export const HolderLine = Type.Object({
  subaccount_id: Type.String(),
  name: Type.String(),
  available: Sum,
  held: Sum,
  in_transit: Sum,
  fees: Sum,
});
export type HolderLine = Static<typeof HolderLine>;

export const CompanyQuery = input({
  ...ofMoney,
  cursor: optional(Type.String({ pattern: "^\\d{1,18}$" })),
});
export const CompanyLine = Type.Object({
  id: Type.String(),
  /** Below zero: it left the bank. */
  amount: Sum,
  reference: Type.String(),
  line_id: orNull(Type.String()),
  suspense_id: orNull(Type.String()),
  at: Type.Number(),
  by: Type.String(),
});
export type CompanyLine = Static<typeof CompanyLine>;

/** A bank connection, and what its last statement says. */
export const BankStanding = Type.Object({
  id: Type.String(),
  name: Type.String(),
  mode,
  currency: Type.String(),
  account: Type.String({ description: "Masked" }),
  balance: orNull(Sum),
  to_day: orNull(Type.String()),
  /** Counted up to 1,000. */
  open_lines: Type.Number(),
  suspended: Type.Number(),
});
export type BankStanding = Static<typeof BankStanding>;
export const BankStandings = Type.Object({ rows: Type.Array(BankStanding) });
export type BankStandings = Static<typeof BankStandings>;

export const PositionQuery = input({
  /** To its last day. Default: to today. */
  month: optional(month),
});

export const TransitItem = Type.Object({
  item: Type.String(),
  /** The books less the bank. */
  amount: Sum,
  currency: Type.String(),
  day: Type.String(),
  text: Type.String(),
});
export type TransitItem = Static<typeof TransitItem>;

export const MonthStop = Type.Object({
  code: Type.String(),
  message: Type.String(),
  cure: Type.String(),
});
export type MonthStop = Static<typeof MonthStop>;

/** A month that is not closed, and all that stops it. */
export const OpenMonth = Type.Object({
  connection_id: Type.String(),
  connection_name: Type.String(),
  month: Type.String(),
  stops: Type.Array(MonthStop),
});
export type OpenMonth = Static<typeof OpenMonth>;
export const OpenMonths = Type.Object({ rows: Type.Array(OpenMonth) });
export type OpenMonths = Static<typeof OpenMonths>;

export const BankPositionDetail = Type.Object({
  ...BankStanding.properties,
  /** YYYY-MM-DD: the figures are those at its end. */
  to: Type.String(),
  books: Sum,
  bank: orNull(Sum),
  /** The sum of the items between them. */
  in_transit: Sum,
  items: Type.Number(),
  unexplained: Sum,
  statement_id: orNull(Type.String()),
  exceptions: Type.Number(),
  /** Balanced: nothing is unexplained, and there is no exception up to `to`. */
  state: Type.String({ enum: ["balanced", "exceptions", "unexplained"] }),
  /** What no statement has shown in time, up to `to`, oldest first: the first few. */
  overdue: Type.Array(TransitItem),
  /** The balance before the first statement, while it is not in the books. */
  opening: orNull(Sum),
  /** A second user has to confirm that it is the company's money. */
  opening_waits: Type.Boolean(),
  /** The month that comes next, or the one that was asked for. Null: there is no statement yet. */
  closing: orNull(
    Type.Object({
      month: Type.String(),
      /** Why it can't be closed now. Null: it can. */
      why_not: orNull(MonthStop),
    }),
  ),
});
export type BankPositionDetail = Static<typeof BankPositionDetail>;

export const TransitQuery = input({ month: optional(month), limit: rowsField, cursor: placeField });
export const StatementsQuery = input({
  connection_id: optional(uuid),
  limit: rowsField,
  cursor: optional(uuid),
});
export const BankStatement = Type.Object({
  id: Type.String(),
  connection_id: Type.String(),
  connection_name: Type.String(),
  kind: Type.String({ enum: ["statement", "notification"] }),
  bank_id: Type.String(),
  currency: Type.String(),
  from_day: Type.String(),
  to_day: Type.String(),
  opening: orNull(Sum),
  closing: orNull(Sum),
  lines: Type.Number(),
  repeated: Type.Number(),
  file_id: Type.String(),
  file_name: Type.String(),
  received_at: Type.Number(),
});
export type BankStatement = Static<typeof BankStatement>;

export const LinesQuery = input({
  limit: rowsField,
  cursor: optional(Type.String({ pattern: "^\\d{1,9}$" })),
});
export const OpenLinesQuery = input({ limit: rowsField, cursor: optional(uuid) });

export const BankLine = Type.Object({
  id: Type.String(),
  connection_id: Type.String(),
  statement_id: Type.String(),
  number: Type.Number(),
  day: Type.String(),
  value_day: Type.String(),
  /** Below zero: money left our account. */
  amount: Sum,
  currency: Type.String(),
  status: Type.String({
    enum: ["open", "matched", "suspended", "noted", "doubtful", "repeated"],
  }),
  code: Type.String(),
  party: Type.String(),
  account: Type.String({ description: "Masked" }),
  reference: Type.String(),
  bank_text: Type.String(),
  bank_reference: Type.String(),
});
export type BankLine = Static<typeof BankLine>;

export const SuggestedMatch = Type.Object({
  rule: Type.String(),
  kind: Type.String({ enum: ["company", "batch", "payout"] }),
  batch_id: orNull(Type.String()),
  batch_name: orNull(Type.String()),
  payout_id: orNull(Type.String()),
  subaccount_id: orNull(Type.String()),
  reasons: Type.Array(Type.String()),
});
export type SuggestedMatch = Static<typeof SuggestedMatch>;

export const OpenLine = Type.Object({
  ...BankLine.properties,
  /** Best first. */
  suggestions: Type.Array(SuggestedMatch),
});
export type OpenLine = Static<typeof OpenLine>;

export const BankLineDetail = Type.Object({
  ...OpenLine.properties,
  connection_name: Type.String(),
  /** The earlier line that it may repeat. */
  repeats_id: orNull(Type.String()),
  /** Where its money waits for a user. */
  suspense_id: orNull(Type.String()),
  matches: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      rule: Type.String(),
      reason: Type.String(),
      amount: Sum,
      batch_id: orNull(Type.String()),
      batch_name: orNull(Type.String()),
      subaccount_id: orNull(Type.String()),
      payout_id: orNull(Type.String()),
      is_undone: Type.Boolean(),
      made_by: Type.String(),
      at: Type.Number(),
    }),
  ),
});
export type BankLineDetail = Static<typeof BankLineDetail>;

/** What a user looks for: part of a name or reference, or an amount. Absent: what fits without asking. */
export const MatchQuery = input({
  text: optional(Type.String({ maxLength: 100 })),
  /** Minor units. */
  amount: optional(Type.String({ pattern: "^\\d{1,16}$" })),
});
export type MatchQuery = { text?: string; amount?: string };

/** `line`: another open line of the same match. */
export const MatchOption = Type.Object({
  kind: Type.String({ enum: ["payout", "batch", "line"] }),
  id: Type.String(),
  amount: Sum,
  currency: Type.String(),
  day: Type.String(),
  name: Type.String(),
  reference: Type.String(),
  /** Why it may be it. */
  reasons: Type.Array(Type.String()),
});
export type MatchOption = Static<typeof MatchOption>;
export const MatchOptions = Type.Object({ rows: Type.Array(MatchOption) });
export type MatchOptions = Static<typeof MatchOptions>;

export const ExceptionsQuery = input({
  connection_id: optional(uuid),
  limit: rowsField,
  cursor: placeField,
});
export const ExceptionLine = Type.Object({
  item: Type.String(),
  kind: Type.String(),
  /** What the bank reports, of an item in suspense. */
  report: orNull(Type.String()),
  connection_id: Type.String(),
  connection_name: Type.String(),
  /** Since when, YYYY-MM-DD. */
  day: Type.String(),
  age_days: Type.Number(),
  amount: orNull(Sum),
  currency: Type.String(),
  /** Who paid or was paid, by the statement. */
  party: Type.String(),
  text: Type.String(),
  owner: Type.String(),
  note: Type.String(),
});
export type ExceptionLine = Static<typeof ExceptionLine>;

export const OpeningTaken = Type.Object({
  request_id: orNull(Type.String({ description: "It waits for a second user" })),
});

export const BankClosing = Type.Object({
  connection_id: Type.String(),
  connection_name: Type.String(),
  month: Type.String(),
  currency: Type.String(),
  books: Sum,
  bank: Sum,
  in_transit: Sum,
  pdf_sha256: Type.String(),
  csv_sha256: Type.String(),
  closed_at: Type.Number(),
  closed_by: Type.String(),
});
export type BankClosing = Static<typeof BankClosing>;

export const ClosingsQuery = input({
  connection_id: optional(uuid),
  limit: rowsField,
  cursor: placeField,
});
export const ClosingOf = Type.Object({ id: Type.String(), month: Type.String() });
