// Presents a key: with its last use, never with a secret. Pure.

import type { Mode } from "../../../platform/base/index.ts";
import type { ShownKey } from "./queries.ts";
import type { KeyLine } from "./schema.ts";

export function toKeyLine(row: ShownKey, mode: Mode, nowMs: number): KeyLine {
  const { key, name, scopes, addresses, version2_only, created_by } = row;
  const uses = row.secrets.flatMap(({ last_used_at_ms }) => last_used_at_ms ?? []);
  return {
    key,
    name,
    mode,
    status: statusOf(row, nowMs),
    scopes,
    addresses,
    version2_only,
    created_at: Math.round(row.created_at_ms),
    created_by,
    expires_at: whole(row.expires_at_ms),
    revoked_at: whole(row.revoked_at_ms),
    last_used_at: uses.length > 0 ? Math.round(Math.max(...uses)) : null,
    secrets: row.secrets
      .filter(({ is_live }) => is_live)
      .map(({ created_at_ms, expires_at_ms, last_used_at_ms }) => ({
        created_at: Math.round(created_at_ms),
        expires_at: whole(expires_at_ms),
        last_used_at: whole(last_used_at_ms),
      })),
    secret_awaits_approval: row.secrets.some(({ is_waiting }) => is_waiting),
  };
}

function statusOf(
  { revoked_at_ms, expires_at_ms, awaiting_approval }: ShownKey,
  nowMs: number,
): KeyLine["status"] {
  if (revoked_at_ms !== null) return "revoked";
  if (expires_at_ms !== null && expires_at_ms <= nowMs) return "expired";
  return awaiting_approval ? "awaiting_approval" : "active";
}

const whole = (ms: number | null) => (ms === null ? null : Math.round(ms));
