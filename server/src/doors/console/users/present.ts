// A row of the list of users.

import type { UserRow } from "../../../tenants/user-records/index.ts";
import type { ListedUser } from "./schema.ts";

export function presentUser(
  line: UserRow,
  { yourId, grantedBy }: { yourId: string; grantedBy: readonly string[] },
): ListedUser {
  const { id, name, email, role, sessions, has_password, passkeys } = line;
  return {
    id,
    name,
    email,
    role,
    sessions,
    has_password,
    passkeys,
    subaccount_id: line.subaccount_ids?.[0] ?? null,
    subaccount_ids: line.subaccount_ids ?? [],
    status: line.disabled_at ? "disabled" : line.logged_in_at ? "active" : "invited",
    created_at: line.created_at.getTime(),
    logged_in_at: line.logged_in_at?.getTime() ?? null,
    link_expires_at: line.link_expires_at?.getTime() ?? null,
    set_up_confirmed_by: line.set_up_confirmed_by,
    is_you: id === yourId,
    granted_by: [...grantedBy],
  };
}
