// Who may approve what a user has made in the current subaccount, for texts.

import { type Permission, useMay, useSubaccount } from "./me.ts";

/** "Another user", or "you or another user" where one user is enough and this one has the permission. */
export function useApprover(permission: Permission, other = "another user") {
  const isOneEnough = !useSubaccount().needs_second_user;
  const mayAlone = useMay(permission) && isOneEnough;
  const within = mayAlone ? `you or ${other}` : other;
  return { isOneEnough, mayAlone, within, first: within.charAt(0).toUpperCase() + within.slice(1) };
}
