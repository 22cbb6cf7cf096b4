// The state of a subaccount's webhook endpoint, as the console shows it.

import type { Runner } from "../../../platform/db/index.ts";
import {
  descriptionOf,
  eventCatalogue,
  eventTypes,
} from "../../../platform/event-catalogue/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import {
  type EndpointRow,
  findEndpoint,
  listLiveSecrets,
  type Postback,
  type SecretTimes,
  toPostback,
} from "../../../webhooks/webhook-endpoints/index.ts";
import { findLastDay } from "./last-day.ts";
import { retrySchedule } from "./schedule.ts";
import type { LastDay, NewWebhookSecret, Webhook } from "./schema.ts";

type StatusFacts = Pick<EndpointRow, "paused_by" | "secret_unreadable_since_ms">;

export async function showWebhook(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<Webhook> {
  const row = await findEndpoint(db, subaccountId, limits.waitingCountedMax);
  if (!row) throw new Refusal("CONS105");
  const secrets = await listLiveSecrets(db, subaccountId, nowMs);
  const postback = toPostback(row, secrets, nowMs);
  const lastDay = await findLastDay(db, subaccountId, nowMs);
  return {
    url: postback.postback_url,
    status: statusOf(row, postback.status, lastDay),
    failing_since: toMoment(postback.failing_since),
    disabled_at: toMoment(postback.disabled_at),
    paused_by: row.paused_by,
    disabled_because: row.disabled_because,
    next_attempt_at: toMoment(postback.next_attempt_at),
    oldest_waiting_at: toMoment(postback.oldest_waiting_at),
    waiting: postback.waiting,
    waiting_is_capped: postback.waiting >= limits.waitingCountedMax,
    secrets: toSecrets(secrets),
    last_day: lastDay,
    retries: retrySchedule(),
    event_types: postback.event_types,
    event_metadata: row.event_metadata,
    known_types: eventTypes.map((type) => ({
      type,
      is_on_request: eventCatalogue[type].isOnRequest,
      description: descriptionOf(type),
    })),
  };
}

/** A webhook endpoint that failed many attempts in the last day does not count as healthy. */
export function statusOf(
  { paused_by, secret_unreadable_since_ms }: StatusFacts,
  status: Postback["status"],
  { attempts, delivered }: LastDay,
): string {
  if (paused_by !== null) return "paused";
  if (status === "failing" && secret_unreadable_since_ms !== null) return "secret_unreadable";
  const isKnown = attempts >= limits.endpointFailingAttemptsMin;
  const failedShare = isKnown ? (attempts - delivered) / attempts : 0;
  const isUnsteady = status === "working" && failedShare >= limits.endpointFailingShare;
  return isUnsteady ? "failing_sometimes" : status;
}

function toMoment(ms: string | null): number | null {
  return ms === null ? null : Number(ms);
}

export function toSecrets(secrets: readonly SecretTimes[]): NewWebhookSecret["secrets"] {
  return secrets.map(({ created_at, expires_at }) => ({
    created_at: Number(created_at),
    expires_at: toMoment(expires_at),
  }));
}
