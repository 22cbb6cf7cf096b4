// The state of a webhook endpoint, as the API shows it. Pure.

import { sentTypes } from "../event-catalogue.ts";
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
  const { failing_since_ms: since, disabled_at_ms, next_ms } = row;
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
  };
}

function statusOf({ url, disabled_at_ms, failing_since_ms }: EndpointRow): Postback["status"] {
  if (url === "") return "none";
  if (disabled_at_ms !== null) return "disabled";
  return failing_since_ms === null ? "working" : "failing";
}
