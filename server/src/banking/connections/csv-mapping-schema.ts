// The schema of a mapping for CSV statements, as users give it.

import Type, { type TSchema } from "typebox";
import {
  csvDecimals,
  csvDelimiters,
  csvGroups,
  csvOrders,
} from "../../../../packages/bank-formats/src/index.ts";
import { line } from "../../platform/fields/index.ts";

const wordsMax = 20;
const columnsMax = 200;

const Column = Type.Union([
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Integer({ minimum: 1, maximum: columnsMax }),
]);
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: line }), {
  minItems: 1,
  maxItems: wordsMax,
});
const RowCount = Type.Integer({ minimum: 0, maximum: 1000 });
const DateColumn = exact({ column: Column, format: Type.String({ minLength: 6, maxLength: 20 }) });

function exact<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

const optionalColumn = (description: string) => Type.Optional(described(Column, description));

/** A column is its name in the header, or its number from 1. */
export const CsvMappingFields = Type.Object(
  {
    delimiter: Type.String({
      enum: [...csvDelimiters],
      description: "What is between columns: a comma, a semicolon, a tab or |",
    }),
    skip_rows: described(RowCount, "Rows before the header, without empty ones"),
    skip_last_rows: described(RowCount, "Rows after the last line, without empty ones"),
    has_header: Type.Boolean({ description: "Whether a row names the columns" }),
    date: described(DateColumn, "The day of the booking, with a format such as DD.MM.YYYY"),
    value_date: Type.Optional(described(DateColumn, "The value date")),
    amount: Type.Union(
      [
        exact({
          kind: Type.String({ enum: ["signed"] }),
          column: Column,
          debits_positive: Type.Optional(Type.Boolean()),
        }),
        exact({
          kind: Type.String({ enum: ["debit_credit"] }),
          debit: Column,
          credit: Column,
          debits_negative: Type.Optional(Type.Boolean()),
        }),
        exact({
          kind: Type.String({ enum: ["indicator"] }),
          column: Column,
          indicator: Column,
          debit_words: Words,
          credit_words: Words,
        }),
      ],
      {
        description:
          "signed: one column; debit_credit: two; indicator: one, and another that says debit or credit",
      },
    ),
    decimal: Type.String({
      enum: [...csvDecimals],
      description: "The mark before decimals",
    }),
    group: Type.String({
      enum: [...csvGroups],
      description: "The mark between thousands; empty for none",
    }),
    currency: Type.Union(
      [exact({ column: Column }), exact({ fixed: Type.String({ pattern: "^[A-Z]{3}$" }) })],
      { description: "A column, or one currency for the whole file (fixed)" },
    ),
    description: Type.Array(Column, {
      maxItems: 10,
      description: "The columns with texts, joined in this order",
    }),
    reference: optionalColumn("The reference of the payer or payee"),
    bank_reference: optionalColumn("The bank's own reference"),
    party_name: optionalColumn("The name of the other party"),
    party_account: optionalColumn("The account of the other party"),
    code: optionalColumn("The bank's code of the transaction"),
    account: optionalColumn("Our own account"),
    balance: optionalColumn("The balance after the line"),
    status: Type.Optional(
      described(
        exact({ column: Column, booked_words: Words }),
        "Rows with other words in this column are left out",
      ),
    ),
    order: Type.String({
      enum: [...csvOrders],
      description: "Which lines come first: oldest_first or newest_first",
    }),
  },
  { title: "CsvMapping" },
);
