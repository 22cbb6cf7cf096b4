// Schemas of the users of the console.

import Type, { type Static } from "typebox";
import { RoleName } from "../../../tenants/users/index.ts";

export const ListedUser = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  subaccount_id: Type.Union([Type.String(), Type.Null()]),
  subaccount_ids: Type.Array(Type.String(), { description: "Only for developers. Empty: all" }),
  status: Type.String({ enum: ["active", "invited", "disabled"] }),
  created_at: Type.Number(),
  logged_in_at: Type.Union([Type.Number(), Type.Null()], { description: "The last sign-in" }),
  sessions: Type.Number({ description: "Number of current sessions" }),
  has_password: Type.Boolean(),
  passkeys: Type.Number(),
  link_expires_at: Type.Union([Type.Number(), Type.Null()], {
    description: "When the current link expires",
  }),
  is_you: Type.Boolean(),
  set_up_confirmed_by: Type.Union([Type.String(), Type.Null()], {
    description: "Of the first admin: the second one, who confirmed them at the set-up",
  }),
  granted_by: Type.Array(Type.String(), {
    description: "The admins as whom the user counts until another admin confirms the user",
  }),
});
export type ListedUser = Static<typeof ListedUser>;

export const UserList = Type.Object({
  rows: Type.Array(ListedUser),
  finance: Type.Object({
    may_approve: Type.Boolean({ description: "Two admins have allowed the role to approve" }),
    asked_by: Type.Union([Type.String(), Type.Null()], {
      description: "The admin who requested it. Another admin has to approve",
    }),
  }),
});
export type UserList = Static<typeof UserList>;

export const MadeLink = Type.Object({
  id: Type.String(),
  link: Type.String({ description: "Shown once. It lets its holder choose the password" }),
  expires_at: Type.Number(),
});
export type MadeLink = Static<typeof MadeLink>;
