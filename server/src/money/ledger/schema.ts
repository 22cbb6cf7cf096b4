// The schemas of balances and statements.

import Type, { type Static } from "typebox";
import type { FieldCodes, SchemaExtras } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { statementKinds } from "./ledger.ts";
import { movementKinds } from "./movements.ts";

export const Balance = Type.Object(
  {
    currency: Type.String({ examples: ["AUD"] }),
    available: Type.Number({ description: "Minor units that can be paid out" }),
    held: Type.Number({
      description: "Minor units that are held for payouts that were not sent yet",
    }),
    in_transit: Type.Number({
      description: "Minor units that were sent to the bank and have no outcome yet",
    }),
  },
  { title: "Balance" },
);

export const BalanceEntry = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    number: Type.Number({ description: "Number of the entry in its currency, without gaps" }),
    when: Type.String({ description: "Milliseconds since the Unix epoch" }),
    kind: Type.String({
      enum: [...statementKinds],
    }),
    debit: Type.String({ description: "The ledger account that the amount was taken from" }),
    credit: Type.String({ description: "The ledger account that the amount was given to" }),
    amount: Type.Number({ description: "Minor units" }),
    currency: Type.String(),
    payout_id: Type.Union([Type.Null(), Type.String({ format: "uuid" })]),
    reference: Type.String(),
    available: Type.Number({ description: "Available balance after this entry" }),
    held: Type.Number({ description: "Held balance after this entry" }),
  },
  { title: "BalanceEntry" },
);
export type BalanceEntry = Static<typeof BalanceEntry>;

const BalanceStatementLine = Type.Object({
  id: Type.String({ format: "uuid", description: "The id of the ledger entry" }),
  number: Type.Number({ description: "The number of the ledger entry" }),
  date: Type.String({ description: "YYYY-MM-DD, in UTC" }),
  kind: Type.String({ enum: [...movementKinds.in, ...movementKinds.out] }),
  description: Type.String({ description: "The kind, in words" }),
  receiver_or_payer: Type.String({
    description: "The receiver of a payout, or the payer that the bank names; may be empty",
  }),
  reference: Type.String({ description: "The reference of the payout or of the funding" }),
  payout_id: Type.Union([Type.Null(), Type.String({ format: "uuid" })]),
  amount: Type.Number({ description: "Minor units; below zero for money that left" }),
  balance: Type.Number({ description: "Balance after this line, in minor units" }),
});

export const BalanceStatement = Type.Object(
  {
    currency: Type.String(),
    from: Type.String({ description: "The first day, YYYY-MM-DD" }),
    to: Type.String({ description: "The last day, YYYY-MM-DD" }),
    opening: Type.Number({ description: "Balance before the first day, in minor units" }),
    closing: Type.Number({ description: "Balance after the last day, in minor units" }),
    lines: Type.Array(BalanceStatementLine),
  },
  { title: "BalanceStatement" },
);
export type BalanceStatement = Static<typeof BalanceStatement>;

type TextOptions = { format?: string; pattern?: string; description: string };
const text = (codes: FieldCodes, options: TextOptions) => Type.String({ ...options, codes });

const currencyOfList = text(
  { missing: "BALA101", invalid: "BALA101" },
  { format: "currency", description: "ISO 4217, such as AUD" },
);
const page = {
  limit: Type.Optional(
    text(
      { invalid: "BALA102" },
      {
        format: "list-limit",
        description: `Entries per page, 1 to ${limits.listMax}; default ${limits.listDefault}`,
      },
    ),
  ),
  cursor: Type.Optional(
    text(
      { invalid: "BALA105" },
      {
        pattern: "^\\d{1,18}$",
        description: "The end of the page before, from its link header",
      },
    ),
  ),
};

export const EntryFilter = Type.Object(
  {
    currency: currencyOfList,
    from: Type.Optional(
      text(
        { invalid: "BALA103" },
        {
          pattern: "^\\d{1,15}$",
          description: "From this time on: milliseconds since the Unix epoch",
        },
      ),
    ),
    to: Type.Optional(
      text(
        { invalid: "BALA104" },
        {
          pattern: "^\\d{1,15}$",
          description: "Before this time: milliseconds since the Unix epoch",
        },
      ),
    ),
    ...page,
  },
  { title: "EntryFilter", ...({ unknownField: "BALA106" } satisfies SchemaExtras) },
);
export type EntryFilter = Static<typeof EntryFilter>;

export const StatementFilter = Type.Object(
  {
    currency: currencyOfList,
    month: Type.Optional(
      text(
        { invalid: "BALA111" },
        {
          pattern: "^20\\d\\d-(0[1-9]|1[0-2])$",
          description: "YYYY-MM, in UTC; default: the current month, unless from and to are sent",
        },
      ),
    ),
    from: Type.Optional(
      text({ invalid: "BALA112" }, { format: "date", description: "The first day, YYYY-MM-DD" }),
    ),
    to: Type.Optional(
      text({ invalid: "BALA113" }, { format: "date", description: "The last day, YYYY-MM-DD" }),
    ),
    ...page,
  },
  { title: "StatementFilter", ...({ unknownField: "BALA106" } satisfies SchemaExtras) },
);
export type StatementFilter = Static<typeof StatementFilter>;
