// Schemas of suspense: what banks reported and no rule could apply.

import Type, { type Static, type TSchema } from "typebox";
import { input, optional, Sum } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });

export const SuspenseQuery = input({
  state: optional(Type.String({ pattern: "^(open|all)$" })),
  limit: rowsField,
  cursor: optional(uuid),
});

export const SuspenseLine = Type.Object({
  id: Type.String(),
  connection_name: Type.String(),
  status: Type.String(),
  kind: Type.String(),
  reason: Type.String({ description: "Why no rule could apply it" }),
  code: Type.String({ description: "The bank's" }),
  bank_text: Type.String(),
  reference: Type.String(),
  day: Type.String(),
  age_days: Type.Number(),
  party: Type.String({ description: "The name that the statement has" }),
  account: Type.String({ description: "Masked" }),
  amount: orNull(Sum),
  currency: Type.String(),
  is_booked: Type.Boolean({ description: "Its money is in the books, under suspense" }),
  file_id: Type.String(),
  created_at: Type.Number(),
});
export type SuspenseLine = Static<typeof SuspenseLine>;

export const SuspenseDetail = Type.Object({
  ...SuspenseLine.properties,
  parent_id: orNull(Type.String()),
  mode: Type.String({
    description: "Of its connection: only subaccounts of this mode get its money",
  }),
  subaccount_ids: Type.Union([Type.Null(), Type.Array(Type.String())], {
    description: "Those that the connection pays for. Null: all",
  }),
  candidates: Type.Array(
    Type.Object({
      subaccount_id: Type.String(),
      subaccount_name: Type.String(),
      payout_id: Type.String(),
      stage: Type.String(),
      amount: Sum,
      currency: Type.String(),
      process_date: Type.String(),
      reference: Type.String(),
      account: Type.String({ description: "Masked" }),
      reasons: Type.Array(Type.String()),
    }),
  ),
  subaccounts: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      reasons: Type.Array(Type.String()),
    }),
    { description: "That the money may be for" },
  ),
  acts: Type.Array(
    Type.Object({
      number: Type.Number(),
      act: Type.String(),
      reason: Type.String(),
      who: Type.String(),
      at: Type.Number(),
      subaccount_id: orNull(Type.String()),
      payout_id: orNull(Type.String()),
    }),
  ),
});
export type SuspenseDetail = Static<typeof SuspenseDetail>;
