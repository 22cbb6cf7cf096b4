// Schemas of the audit log.

import Type, { type Static } from "typebox";
import { input, optional } from "../../../platform/fields/index.ts";
import type { VerifyProgress } from "../../../tenants/audit/index.ts";
import { sortedPageOf } from "../../lists/index.ts";

const text = Type.String({ minLength: 1, maxLength: 300 });
const time = Type.String({ pattern: "^\\d{1,15}$" });

const filters = {
  who: optional(text),
  action: optional(text),
  object_id: optional(text),
  subaccount_id: optional(Type.String({ format: "uuid" })),
  from: optional(time),
  to: optional(time),
  sign_ins: optional(Type.Literal("hidden")),
};

export const AuditQuery = input({
  ...filters,
  limit: optional(Type.String({ pattern: "^\\d{1,3}$" })),
  sort: optional(Type.String({ pattern: "^-?(at|who|action)$" })),
  cursor: optional(Type.String({ pattern: "^\\d{1,15}(\\.\\d{1,15})?$" })),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditLine = Type.Object({
  number: Type.Number(),
  at: Type.Number(),
  who: Type.String(),
  action: Type.String(),
  object_kind: Type.String(),
  object_id: Type.String(),
  subaccount_id: Type.Union([Type.Null(), Type.String()]),
  before: Type.Record(Type.String(), Type.Unknown()),
  after: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String(),
  request_id: Type.String(),
  hash: Type.String(),
  token: Type.Union([Type.Null(), Type.String()], {
    description: "The token of the user with which a program did it",
  }),
});
export type AuditLine = Static<typeof AuditLine>;

export const AuditPage = sortedPageOf(AuditLine);
export type AuditPage = Static<typeof AuditPage>;

export const AuditHead = Type.Object({
  number: Type.Number(),
  hash: Type.String(),
  at: Type.Number(),
  verified: Type.Union([
    Type.Null(),
    Type.Object({ at: Type.Number(), number: Type.Number(), fault: Type.String() }),
  ]),
  verifying: Type.Union([
    Type.Null(),
    Type.Object(
      { checked: Type.Number(), of: Type.Number() },
      { description: "A verification that a user has started and that goes on" },
    ),
  ]),
});
export type AuditHead = Static<typeof AuditHead>;

/** What the log's entries say was done, by name. */
export const AuditActions = Type.Object({ actions: Type.Array(Type.String()) });
export type AuditActions = Static<typeof AuditActions>;

/** A line of the verification. The last one has `ended`. */
export type VerifyLine = VerifyProgress;
