// Schemas of the mapping for CSV statements of a bank connection.

import Type, { type Static, type TSchema } from "typebox";
import { CsvMappingFields } from "../../../banking/connections/index.ts";
import { input, optional, required, Sum } from "../../../platform/fields/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const base64 = "^[A-Za-z0-9+/]*={0,2}$";

/** As users give it. It is checked field by field, with its own codes. */
const GivenMapping = Type.Record(Type.String(), Type.Unknown());

export const SavedCsvMapping = Type.Object({
  mapping: orNull(CsvMappingFields),
  version: Type.Number({ description: "From 1; 0: none is saved" }),
  saved_at: orNull(Type.Number()),
  saved_by: Type.String(),
});
export type SavedCsvMapping = Static<typeof SavedCsvMapping>;

/** The mapping that is in force. */
export const CsvMappingOutcome = Type.Object({
  ...SavedCsvMapping.properties,
  request_id: orNull(Type.String({ description: "The new one waits for a second user" })),
});
export type CsvMappingOutcome = Static<typeof CsvMappingOutcome>;

/** Without a mapping, one is proposed. */
export const CsvSample = input({
  content: required(Type.String({ minLength: 4, pattern: base64, description: "Base64" })),
  mapping: optional(GivenMapping),
});

export const CsvMappingPreview = Type.Object({
  mapping: orNull(CsvMappingFields),
  notes: Type.Array(
    Type.Object({
      field: Type.String(),
      confidence: Type.String({ enum: ["proven", "likely", "unsure"] }),
      reason: Type.String(),
    }),
    { description: "Why the proposed mapping is what it is" },
  ),
  columns: Type.Array(Type.String(), { description: "The header; empty names if there is none" }),
  samples: Type.Array(Type.Array(Type.String()), {
    description: "The first values of each column",
  }),
  lines: Type.Array(
    Type.Object({
      line: Type.Number(),
      day: Type.String(),
      value_day: Type.String(),
      amount: Sum,
      currency: Type.String(),
      text: Type.String(),
      reference: Type.String(),
      bank_reference: Type.String(),
      party: Type.String(),
      party_account: Type.String({ description: "Masked" }),
    }),
    { description: "The first lines, oldest first" },
  ),
  statements: Type.Array(
    Type.Object({
      currency: Type.String(),
      from_day: Type.String(),
      to_day: Type.String(),
      lines: Type.Number(),
      opening: orNull(Sum),
      closing: orNull(Sum),
    }),
  ),
  problems: Type.Array(
    Type.Object({
      severity: Type.String({ enum: ["error", "warning"] }),
      line: Type.Number(),
      column: Type.Number(),
      message: Type.String(),
    }),
    { description: "The first problems of the sample under this mapping" },
  ),
});
export type CsvMappingPreview = Static<typeof CsvMappingPreview>;
