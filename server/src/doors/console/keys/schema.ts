// Schemas of a subaccount's API keys.

import Type, { type Static } from "typebox";
import { input, optional } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const moment = Type.Union([Type.Number(), Type.Null()]);

export const KeyLine = Type.Object({
  key: Type.String(),
  name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  status: Type.String({ enum: ["active", "awaiting_approval", "expired", "revoked"] }),
  scopes: Type.Array(Type.String()),
  /** Empty: from anywhere. */
  addresses: Type.Array(Type.String()),
  version2_only: Type.Boolean(),
  created_at: Type.Number(),
  /** Null if it was not created in the console. */
  created_by: Type.Union([Type.String(), Type.Null()]),
  expires_at: moment,
  revoked_at: moment,
  /** Accurate to the minute, except for the first use. */
  last_used_at: moment,
  /** Valid ones, oldest first. */
  secrets: Type.Array(
    Type.Object({ created_at: Type.Number(), expires_at: moment, last_used_at: moment }),
  ),
  /** A rotated secret works once another user has approved it. */
  secret_awaits_approval: Type.Boolean(),
});
export type KeyLine = Static<typeof KeyLine>;

export const KeyQuery = input({
  status: optional(Type.String({ pattern: "^(active|all)$" })),
  limit: rowsField,
  cursor: optional(Type.String({ pattern: "^ak_[\\w-]{1,100}$" })),
});
