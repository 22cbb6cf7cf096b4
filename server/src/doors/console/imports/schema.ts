// Schemas of imports.

import Type, { type Static } from "typebox";
import { Sum } from "../../../platform/fields/index.ts";

export const FileCheck = Type.Object({
  rows: Type.Number(),
  problem_count: Type.Number(),
  /** The first problems. */
  problems: Type.Array(
    Type.Object({
      row: Type.Number({ description: "As a spreadsheet counts: the header is row 1" }),
      column: Type.String(),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
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
  /** The first rows that would be paid. Empty while there are problems. */
  preview: Type.Array(
    Type.Object({
      row: Type.Number(),
      receiver: Type.String(),
      account: Type.String({ description: "Masked" }),
      bank: Type.String(),
      amount: Sum,
      currency: Type.String(),
      reference: Type.String(),
    }),
  ),
});
export type FileCheck = Static<typeof FileCheck>;

export const ReceiverFileCheck = Type.Object({
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
      problems: Type.Array(Type.String()),
    }),
  ),
  problem_file: Type.String({ description: "The rows with problems, as CSV" }),
});
export type ReceiverFileCheck = Static<typeof ReceiverFileCheck>;
