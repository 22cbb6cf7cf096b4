// The state of a webhook endpoint, as the API shows it. Pure.

import { sentTypes } from "../../platform/event-catalogue/index.ts";
import type { EndpointRow, SecretTimes } from "./queries.ts";
import type { Postback } from "./schema.ts";

const hourMs = 3_600_000;

/** The time for which it has failed: the longest of these that has passed. */
const failingTimes = [
  ["7d", 7 * 24 * hourMs],
  ["24h", 24 * hourMs],
  ["1h", hourMs],
] as const;

export function toPostback(row: EndpointRow, secrets: SecretTimes[], nowMs: number): Postback {
  const { disabled_at_ms, next_ms } = row;
  const since = failingSinceOf(row);
  const status = statusOf(row);
  const failingMs = since === null ? 0 : nowMs - Number(since);
  const isActive = status === "working" || status === "failing";
  const next = next_ms && isActive ? Math.max(Number(next_ms), Number(row.open_until_ms)) : null;
  return {
    postback_url: row.url,
    status,
    failing_since: since,
    failing_for: failingTimes.find(([, ms]) => failingMs >= ms)?.[0] ?? null,
    disabled_at: disabled_at_ms,
    next_attempt_at: next === null ? null : String(next),
    oldest_waiting_at: row.oldest_ms,
    waiting: row.waiting,
    secrets,
    event_types: sentTypes(row.event_types),
    ...(Object.keys(row.balance_levels).length > 0 && { balance_levels: row.balance_levels }),
    ...(row.event_metadata && { event_metadata: true }),
  };
}

function statusOf(row: EndpointRow): Postback["status"] {
  if (row.url === "") return "none";
  if (row.disabled_at_ms !== null) return "disabled";
  return failingSinceOf(row) === null ? "working" : "failing";
}

/** An endpoint whose events can't be signed does not work, whatever it replied to earlier ones. */
function failingSinceOf(row: EndpointRow): string | null {
  const { failing_since_ms: failing, secret_unreadable_since_ms: unreadable } = row;
  if (failing === null || unreadable === null) return failing ?? unreadable;
  return Number(failing) < Number(unreadable) ? failing : unreadable;
}

/** The URL for the audit log, without credentials. */
export function plainUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : "";
}
