// Schemas of imports.

import Type, { type Static } from "typebox";
import { Sum } from "../../../platform/fields/index.ts";

/** How the file is read, for the user to confirm or change. */
export const FileReading = Type.Object({
  header: Type.Array(Type.String()),
  samples: Type.Array(Type.Array(Type.String()), {
    description: "The first values of each column",
  }),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      is_required: Type.Boolean(),
      meaning: Type.String(),
    }),
  ),
  columns: Type.Record(Type.String(), Type.Number(), {
    description: "The column of each field, from 0",
  }),
  fixed: Type.Record(Type.String(), Type.String()),
  missing: Type.Array(Type.String(), { description: "Fields without which no row can be read" }),
  decimals: Type.Object({
    mark: Type.String({ enum: [".", ",", "undecided"] }),
    is_told: Type.Boolean(),
    example: Type.String({ description: "An amount that shows it; may be empty" }),
  }),
  notes: Type.Array(Type.String()),
});
export type FileReading = Static<typeof FileReading>;

const CellProblem = Type.Object({
  row: Type.Number({ description: "As a spreadsheet counts: the header is row 1" }),
  column: Type.String({ description: "The field; empty if it concerns the whole row" }),
  code: Type.String(),
  message: Type.String(),
  value: Type.String({ description: "What the cell says" }),
  cure: Type.String(),
  suggestion: Type.String({ description: "A value that may be the right one; may be empty" }),
});
export type CellProblem = Static<typeof CellProblem>;

export const FileCheck = Type.Object({
  reading: FileReading,
  rows: Type.Number(),
  problem_count: Type.Number(),
  wrong_rows: Type.Number({ description: "Rows with problems: they are not imported" }),
  /** The first problems. */
  problems: Type.Array(CellProblem),
  problem_file: Type.String({ description: "The rows with problems, as CSV" }),
  totals: Type.Array(
    Type.Object({
      currency: Type.String(),
      payouts: Type.Number(),
      amount: Sum,
      available: Sum,
      short: Sum,
      imported_before: Type.Number(),
    }),
  ),
  remarks: Type.Array(Type.String()),
  waiting: Type.Object(
    {
      count: Type.Number(),
      receivers: Type.Number({ description: "New ones that would be created" }),
      accounts: Type.Number({ description: "New ones that would be proposed" }),
      totals: Type.Array(Type.Object({ currency: Type.String(), amount: Sum })),
      /** The first rows. */
      rows: Type.Array(
        Type.Object({
          row: Type.Number(),
          name: Type.String(),
          email: Type.String(),
          account: Type.String({ description: "Masked" }),
          amount: Sum,
          currency: Type.String(),
          needs: Type.String({ enum: ["receiver", "account", "account_waits", "identity_check"] }),
          remarks: Type.Array(Type.String()),
        }),
      ),
      file: Type.String({ description: "These rows, as CSV" }),
    },
    { description: "Rows of new receivers and accounts: they are paid by a later import" },
  ),
  /** The first rows that would be paid, or were by an earlier import. */
  preview: Type.Array(
    Type.Object({
      row: Type.Number(),
      receiver: Type.String(),
      account: Type.String({ description: "Masked" }),
      bank: Type.String(),
      amount: Sum,
      currency: Type.String(),
      reference: Type.String(),
      paid_by: Type.Union([
        Type.Null(),
        Type.Object({
          payout_id: Type.String(),
          import_id: Type.String({ description: "Empty where it was no import of a file" }),
          file_name: Type.String(),
          at: Type.Number({ description: "Milliseconds since the Unix epoch" }),
        }),
      ]),
    }),
  ),
});
export type FileCheck = Static<typeof FileCheck>;

export const ReceiverFileCheck = Type.Object({
  reading: FileReading,
  rows: Type.Number(),
  counts: Type.Object({
    ready: Type.Number(),
    problem: Type.Number(),
    duplicate: Type.Number(),
    already_imported: Type.Number(),
  }),
  /** The receivers that would be created, by country. */
  countries: Type.Array(Type.Object({ country: Type.String(), receivers: Type.Number() })),
  /** The first rows, those with problems before the others. */
  preview: Type.Array(
    Type.Object({
      row: Type.Number({ description: "As a spreadsheet counts: the header is row 1" }),
      name: Type.String(),
      email: Type.String(),
      country: Type.String(),
      verdict: Type.String({ enum: ["ready", "problem", "duplicate", "already_imported"] }),
      problems: Type.Array(CellProblem),
    }),
  ),
  problem_file: Type.String({ description: "The rows with problems, as CSV" }),
});
export type ReceiverFileCheck = Static<typeof ReceiverFileCheck>;

export const AccountFileCheck = Type.Object({
  reading: FileReading,
  rows: Type.Number(),
  counts: Type.Object({
    ready: Type.Number(),
    problem: Type.Number(),
    exists: Type.Number({ description: "The receiver has it, or an earlier row names it" }),
    account_waits: Type.Number({ description: "It waits for approval" }),
  }),
  /** The first rows, those with problems before the others. */
  preview: Type.Array(
    Type.Object({
      row: Type.Number({ description: "As a spreadsheet counts: the header is row 1" }),
      name: Type.String(),
      account: Type.String({ description: "Masked" }),
      verdict: Type.String({ enum: ["ready", "problem", "exists", "account_waits"] }),
      remarks: Type.Array(Type.String()),
      problems: Type.Array(CellProblem),
    }),
  ),
  problem_file: Type.String({ description: "The rows with problems, as CSV" }),
});
export type AccountFileCheck = Static<typeof AccountFileCheck>;
