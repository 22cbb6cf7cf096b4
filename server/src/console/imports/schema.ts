// Schemas of the import of payouts.

import Type, { type Static } from "typebox";
import { input, required, Sum } from "../fields.ts";

const csv = required(Type.String({ minLength: 1, description: "The file, as text" }));

export const FileToCheck = input({ csv });

export const FileToImport = input({
  csv,
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
});
export type FileCheck = Static<typeof FileCheck>;

/** A line of the response during the import. */
export type ImportLine =
  | { kind: "start"; rows: number; batch_id: string }
  | {
      kind: "row";
      row: number;
      outcome: "created" | "already_imported" | "refused";
      payout_id: string;
      code: string;
      message: string;
    }
  | { kind: "end" }
  /** Stopped before the end. A second run continues from there. */
  | { kind: "stopped"; message: string };
