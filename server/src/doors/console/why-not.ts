// Why a user can't approve something, in words.

import type { Conflict } from "../../tenants/four-eyes/index.ts";
import { may, type Permission, type User } from "../../tenants/roles/index.ts";

const words: Record<Conflict, string> = {
  made: "Awaiting another approver",
  "saw-secret": "You have seen the secret of the key that made it",
  "access-grant": "You count as one user with its creator until another admin confirms",
};

/** Null: the user can approve it. */
export function whyNotApprove(
  user: User,
  permission: Permission,
  conflict: Conflict | undefined,
): string | null {
  if (!may(user, permission)) return "Your role may not approve this";
  return conflict ? words[conflict] : null;
}
