// A session as lists of them show it.

import type { SessionLine } from "../../../tenants/user-records/index.ts";
import type { SessionRow } from "./schema.ts";

export function sessionRow(
  { id, created_at, seen_at, expires_at, ip_address, user_agent }: SessionLine,
  currentId: string,
): SessionRow {
  return {
    id,
    created_at: created_at.getTime(),
    last_seen_at: seen_at.getTime(),
    expires_at: expires_at.getTime(),
    ip: ip_address ?? "",
    user_agent: user_agent ?? "",
    is_current: id === currentId,
  };
}
