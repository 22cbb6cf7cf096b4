// Schemas of imports.

import Type, { type Static } from "typebox";
import { importLimits } from "../../../money/imports/index.ts";
import { input, line, optional, required, Sum } from "../../../platform/fields/index.ts";

const csv = required(Type.String({ minLength: 1, description: "The file, as text" }));

export const FileToCheck = input({ csv });

const file_name = optional(
  Type.String({
    maxLength: importLimits.fileNameCharsMax,
    pattern: line,
    description: "As the user's computer names it",
  }),
);

export const FileToImport = input({
  csv,
  file_name,
  retry_of: optional(Type.String({ format: "uuid" })),
  totals: required(
    Type.Array(Type.Object({ currency: Type.String(), amount: Type.Integer({ minimum: 0 }) }), {
      description: "The totals that the user typed, in minor units of each currency",
    }),
  ),
});
export type FileToImport = Static<typeof FileToImport>;

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

export const ReceiverFileToImport = input({ csv, file_name });
export type ReceiverFileToImport = Static<typeof ReceiverFileToImport>;

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

/** A line of the response during the import. */
export type ImportLine =
  /** The id of the import. Payouts have it as their `batch_id`. */
  | { kind: "start"; rows: number; id: string }
  | {
      kind: "row";
      row: number;
      outcome: "created" | "already_imported" | "refused";
      /** Of the payout or the receiver. */
      id: string;
      code: string;
      message: string;
    }
  | { kind: "end" }
  /** Stopped before the end. A second run continues from there. */
  | { kind: "stopped"; message: string };
