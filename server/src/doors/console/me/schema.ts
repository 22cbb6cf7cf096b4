// The signed-in user: name, role, permissions, and the first subaccounts.

import Type, { type Static } from "typebox";
import { roles } from "../../../tenants/roles/index.ts";
import { SubaccountLine } from "../subaccounts/schema.ts";

export const Me = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.String({ enum: [...roles] }),
  permissions: Type.Array(Type.String()),
  subaccounts: Type.Array(SubaccountLine, {
    description: "The first ones, open ones before closed",
  }),
  has_more_subaccounts: Type.Boolean({ description: "The others are found by GET /subaccounts" }),
  is_quarantined: Type.Boolean({ description: "Only reads are answered, and nothing is sent" }),
});
export type Me = Static<typeof Me>;
