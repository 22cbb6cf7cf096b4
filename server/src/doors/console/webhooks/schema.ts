// Schemas of a subaccount's webhook endpoint.

import Type, { type Static } from "typebox";
import { input, optional } from "../../../platform/fields/index.ts";

const moment = Type.Union([Type.Number(), Type.Null()]);

const Secret = Type.Object({ created_at: Type.Number(), expires_at: moment });

/** Null: no attempts. */
const p95 = { p95_ms: Type.Union([Type.Number(), Type.Null()]) };

const LastDay = Type.Object({
  attempts: Type.Number(),
  delivered: Type.Number(),
  ...p95,
  /** Oldest first: attempts that delivered at once, delivered after retries, and failed. */
  hours: Type.Array(
    Type.Object({
      from: Type.Number(),
      ok: Type.Number(),
      retried: Type.Number(),
      failed: Type.Number(),
      ...p95,
    }),
  ),
});
export type LastDay = Static<typeof LastDay>;

const RetrySchedule = Type.Object({
  /** The pause after the nth failure in a row, and the time since the first attempt. */
  steps: Type.Array(
    Type.Object({ attempt: Type.Number(), after_ms: Type.Number(), since_first_ms: Type.Number() }),
  ),
  tried_for_ms: Type.Number(),
  /** Each pause varies by up to this share. */
  jitter: Type.Number(),
});
export type RetrySchedule = Static<typeof RetrySchedule>;

export const Webhook = Type.Object({
  url: Type.String(),
  status: Type.String({
    enum: [
      ...["none", "working", "failing_sometimes", "failing"],
      ...["secret_unreadable", "disabled", "paused"],
    ],
  }),
  failing_since: moment,
  disabled_at: moment,
  paused_by: Type.Union([Type.String(), Type.Null()]),
  /** Why it is disabled. Null: it responded with 410, or it is not. */
  disabled_because: Type.Union([
    Type.Literal("gone"),
    Type.Literal("failing"),
    Type.Literal("secret"),
    Type.Null(),
  ]),
  next_attempt_at: moment,
  oldest_waiting_at: moment,
  waiting: Type.Number(),
  /** Counting stopped at a bound. */
  waiting_is_capped: Type.Boolean(),
  secrets: Type.Array(Secret),
  last_day: LastDay,
  retries: RetrySchedule,
  /** All types that are sent to it. */
  event_types: Type.Array(Type.String()),
  /** Events carry the metadata of their object. */
  event_metadata: Type.Boolean(),
  known_types: Type.Array(
    Type.Object({
      type: Type.String(),
      is_on_request: Type.Boolean(),
      description: Type.String(),
    }),
  ),
});
export type Webhook = Static<typeof Webhook>;

export const DeliveriesQuery = input({
  /** Default: 14. */
  days: optional(Type.String({ pattern: "^(7|14|30)$" })),
  /** Days start at midnight of this time zone. Default: UTC. */
  time_zone: optional(Type.String({ format: "time-zone" })),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const Deliveries = Type.Object({
  as_of: Type.Number(),
  /** Oldest first; the last one is today. */
  days: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number() })),
  /** The hours that had attempts: delivered at once, delivered after retries, and failed. */
  hours: Type.Array(
    Type.Object({
      from: Type.Number(),
      ok: Type.Number(),
      retried: Type.Number(),
      failed: Type.Number(),
    }),
  ),
  /** How many attempts took how long. */
  latency: Type.Object({
    bars: Type.Array(
      Type.Object({
        from_ms: Type.Number(),
        /** Null: no upper bound. */
        to_ms: Type.Union([Type.Number(), Type.Null()]),
        count: Type.Number(),
      }),
    ),
    /** Null: no attempts. */
    p50_ms: Type.Union([Type.Number(), Type.Null()]),
    p95_ms: Type.Union([Type.Number(), Type.Null()]),
    p99_ms: Type.Union([Type.Number(), Type.Null()]),
  }),
});
export type Deliveries = Static<typeof Deliveries>;

export const SetWebhook = Type.Object({
  webhook: Webhook,
  /** The first secret, created with the first URL. Shown once. */
  secret: Type.Union([Type.String(), Type.Null()]),
});
export type SetWebhook = Static<typeof SetWebhook>;

export const NewWebhookSecret = Type.Object({
  /** Shown once. */
  secret: Type.String(),
  secrets: Type.Array(Secret),
});
export type NewWebhookSecret = Static<typeof NewWebhookSecret>;

export const TestedWebhook = Type.Object({
  id: Type.String(),
  type: Type.String(),
  status: Type.String(),
});
export type TestedWebhook = Static<typeof TestedWebhook>;
