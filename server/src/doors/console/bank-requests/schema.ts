// Schemas of what waits at a bank for a second user.

import Type, { type Static, type TSchema } from "typebox";
import { Sum } from "../../../platform/fields/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);

/** As it is in the approval queue. */
export const WaitingAtBank = Type.Object({
  what: Type.String({ enum: ["file", "suspense", "statement_line", "csv_mapping", "opening"] }),
  object_id: Type.String({
    description: "The item, the line or the connection; for a file its hash",
  }),
  name: Type.String({ description: "Of the file; else empty" }),
  act: Type.String({ description: "What is decided, such as fund" }),
  reason: Type.String(),
  counts: orNull(
    Type.Object({
      lines: Type.Number(),
      applied: Type.Number(),
      noted: Type.Number(),
      suspended: Type.Number(),
      repeated: Type.Number(),
    }),
  ),
  sums: Type.Array(
    Type.Object({
      kind: Type.String(),
      subaccount_id: Type.String(),
      subaccount_name: Type.String(),
      currency: Type.String(),
      count: Type.Number(),
      amount: Sum,
    }),
  ),
  changes: Type.Array(
    Type.Object({ field: Type.String(), before: Type.String(), after: Type.String() }),
  ),
  sha256: Type.String({ description: "Of what is shown: confirming names it" }),
  is_unreadable: Type.Boolean({ description: "It can't be decrypted, so it can only be declined" }),
});
export type WaitingAtBank = Static<typeof WaitingAtBank>;
