// The schemas of balances and statements.

import Type, { type Static } from "typebox";
import type { FieldCodes, SchemaExtras } from "../fields/fields.ts";
import { limits } from "../limits.ts";
import { statementKinds } from "./ledger.ts";

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

type TextOptions = { format?: string; pattern?: string; description: string };
const text = (codes: FieldCodes, options: TextOptions) => Type.String({ ...options, codes });

export const EntryFilter = Type.Object(
  {
    currency: text(
      { missing: "BALA101", invalid: "BALA101" },
      { format: "currency", description: "ISO 4217, such as AUD" },
    ),
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
  },
  { title: "EntryFilter", ...({ unknownField: "BALA106" } satisfies SchemaExtras) },
);
export type EntryFilter = Static<typeof EntryFilter>;
