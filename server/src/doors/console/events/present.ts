// Presents events, attempts and the progress of recoveries. Pure.

import { beforeIdOf, firstIdOf, idTimeMs, isTestEventId } from "../../../platform/base/index.ts";
import { eventName } from "../../../platform/event-catalogue/index.ts";
import type { EventRow, RecoveryState } from "../../../webhooks/events/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import type { AttemptPage, AttemptRow } from "./queries.ts";
import type { AttemptFilter, AttemptLine, EventLine, Recovery } from "./schema.ts";

type Body = { payout_id?: string; receiver_id?: string; reference?: string };

export function toEventLine(row: EventRow): EventLine {
  const { payout_id, receiver_id, reference } = JSON.parse(row.body) as Body;
  return {
    id: eventName(row.id),
    type: row.type,
    status: row.status,
    is_test: isTestEventId(row.id),
    payout_id: payout_id ?? null,
    receiver_id: receiver_id ?? null,
    reference: reference ?? null,
    created_at: Number(row.created_at_ms),
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at === null ? null : Number(row.next_attempt_at),
  };
}

export function toAttemptPage(subaccountId: string, filter: AttemptFilter): AttemptPage {
  const { outcome } = filter;
  return {
    subaccountId,
    isDelivered: outcome === undefined ? undefined : outcome === "delivered",
    beforeId: beforeIdOf(filter),
    fromId: firstIdOf(Number(filter.from ?? 0)),
    limit: pageSizeOf(filter) + 1,
  };
}

export function toAttemptLine({ event_id, event_type, ...row }: AttemptRow): AttemptLine {
  return { ...row, event_id: eventName(event_id), event_type, at: idTimeMs(row.id) };
}

export function toRecovery(row: RecoveryState): Recovery {
  const since = Number(row.since_ms);
  const until = Number(row.until_ms);
  return {
    id: row.id,
    since,
    until,
    with_delivered: row.with_delivered,
    who: row.who,
    started_at: idTimeMs(row.id),
    reached: Math.min(until, Math.max(since, idTimeMs(row.after_id))),
    recovered: Number(row.recovered),
    done_at: row.done_at_ms === null ? null : Number(row.done_at_ms),
    cancelled_by: row.cancelled_by,
  };
}
