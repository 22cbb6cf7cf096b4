// Schemas of operator tokens.

import Type, { type Static } from "typebox";
import { roles } from "../../../tenants/roles/index.ts";

export const OperatorToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.String({ enum: [...roles] }),
  subaccount_ids: Type.Union([Type.Null(), Type.Array(Type.String())], {
    description: "Null: all of them",
  }),
  addresses: Type.Array(Type.String()),
  made_by: Type.String(),
  created_at: Type.Number(),
  expires_at: Type.Number(),
  last_used_at: Type.Union([Type.Null(), Type.Number()]),
  status: Type.String({ enum: ["active", "waiting", "ended"] }),
  ended_because: Type.Union([Type.Null(), Type.String()]),
});
export type OperatorToken = Static<typeof OperatorToken>;

export const OperatorTokens = Type.Object({
  rows: Type.Array(OperatorToken),
  roles_that_wait: Type.Array(Type.String({ enum: [...roles] }), {
    description: "A token with one of these waits for a second admin if it reaches live mode",
  }),
});
export type OperatorTokens = Static<typeof OperatorTokens>;
