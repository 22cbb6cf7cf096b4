// Schemas of changes of bank details.

import Type, { type Static } from "typebox";
import { input, optional, required } from "../../../platform/fields/index.ts";
import { pageOf } from "../../lists/index.ts";

const Status = Type.String({ enum: ["waiting", "applied", "declined", "withdrawn", "expired"] });

export const ProposedChange = Type.Object({
  change_id: Type.String(),
  status: Type.Literal("awaiting_approval"),
  warnings: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
});
export type ProposedChange = Static<typeof ProposedChange>;

export const ShownFieldChange = Type.Object({
  field: Type.String(),
  before: Type.String(),
  after: Type.String(),
});

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);

export const BankChangeLine = Type.Object({
  id: Type.String(),
  receiver_id: Type.String(),
  account_id: orNull(Type.String()),
  is_new: Type.Boolean({ description: "Adds an account" }),
  account_number: Type.String({ description: "The new number, masked" }),
  country: Type.String(),
  changes: Type.Array(ShownFieldChange),
  is_unreadable: Type.Boolean({ description: "It can't be decrypted, so it can only be declined" }),
  made_by: Type.String(),
  made_at: Type.Number(),
  status: Status,
  decided_by: Type.String(),
  decided_at: orNull(Type.Number()),
  reason: Type.String(),
});
export type BankChangeLine = Static<typeof BankChangeLine>;

export const BankChangeQuery = input({
  receiver_id: required(Type.String({ format: "uuid" })),
  limit: optional(Type.String({ pattern: "^\\d{1,3}$" })),
  cursor: optional(Type.String({ format: "uuid" })),
});

const BankChangePage = pageOf(BankChangeLine);
export type BankChangePage = Static<typeof BankChangePage>;

export const DecidedChange = Type.Object({
  id: Type.String(),
  status: Status,
  account_id: orNull(Type.String()),
});
export type DecidedChange = Static<typeof DecidedChange>;

/** The whole number, to compare with the receiver's letter. Empty if there is none. */
export const RevealedChange = Type.Object({ before: Type.String(), after: Type.String() });
export type RevealedChange = Static<typeof RevealedChange>;
