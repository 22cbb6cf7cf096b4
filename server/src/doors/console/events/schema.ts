// Schemas of events, attempts and recoveries.

import Type, { type Static } from "typebox";
import { input, optional, required, type SchemaExtras } from "../../../platform/fields/index.ts";
import { EventFilter } from "../../../webhooks/events/index.ts";
import { cursorField, rowsField, timeField } from "../../lists/index.ts";

const moment = Type.Union([Type.Number(), Type.Null()]);
const text = Type.Union([Type.String(), Type.Null()]);

const lineFields = {
  id: Type.String(),
  type: Type.String(),
  status: Type.String({ enum: ["waiting", "delivered", "undelivered", "unsent"] }),
  /** A test event: its ids are made up, so there is nothing to link to. */
  is_test: Type.Boolean(),
  payout_id: text,
  receiver_id: text,
  reference: text,
  created_at: Type.Number(),
  attempt_count: Type.Number(),
  next_attempt_at: moment,
};

export const EventLine = Type.Object(lineFields);
export type EventLine = Static<typeof EventLine>;

const answerFields = {
  /** Number of the attempt, from 1; starts again after a resend. */
  number: Type.Number(),
  at: Type.Number(),
  /** HTTP status of the response. Null: no response. */
  status: Type.Union([Type.Number(), Type.Null()]),
  /** Why the attempt failed, in one word. Null: it succeeded. */
  failure: text,
  detail: Type.String(),
  took_ms: Type.Number(),
};

export const EventAttempt = Type.Object({
  ...answerFields,
  /** The beginning of the response. */
  answer: Type.String(),
  /** As sent, without the signature. */
  headers: Type.Record(Type.String(), Type.String()),
  /** The signed text: `id.timestamp.body`. */
  signed_string: Type.String(),
  /** One for each secret that was valid then and still is. */
  signatures: Type.Array(Type.String()),
  /** A secret of that time has expired, so its signature can't be shown. */
  has_ended_secret: Type.Boolean(),
});
export type EventAttempt = Static<typeof EventAttempt>;

export const EventFacts = Type.Object({
  ...lineFields,
  /** The exact bytes that are sent and signed. */
  body: Type.String(),
  /** Oldest first. */
  attempts: Type.Array(EventAttempt),
});
export type EventFacts = Static<typeof EventFacts>;

export const AttemptLine = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event_type: text,
  ...answerFields,
});
export type AttemptLine = Static<typeof AttemptLine>;

/** The filter of callers, and an order. */
export const SortedEventFilter = Type.Object(
  { ...EventFilter.properties, sort: optional(Type.String({ pattern: "^-?created$" })) },
  { ...({ unknownField: "CONS109" } satisfies SchemaExtras) },
);

export const AttemptFilter = input({
  outcome: optional(Type.String({ pattern: "^(failed|delivered)$" })),
  from: timeField,
  to: timeField,
  limit: rowsField,
  cursor: cursorField,
});
export type AttemptFilter = Static<typeof AttemptFilter>;

const digits = Type.String({ pattern: "^\\d{1,15}$" });

export const RecoveryQuestion = input({
  since: required(digits),
  until: optional(digits),
  with_delivered: optional(Type.String({ pattern: "^(true|false)$" })),
  with_unsent: optional(Type.String({ pattern: "^(true|false)$" })),
});

export const Recovery = Type.Object({
  id: Type.String(),
  since: Type.Number(),
  until: Type.Number(),
  with_delivered: Type.Boolean(),
  who: Type.String(),
  started_at: Type.Number(),
  /** All events before this time have been processed. */
  reached: Type.Number(),
  recovered: Type.Number(),
  done_at: moment,
  cancelled_by: text,
});
export type Recovery = Static<typeof Recovery>;

export const Recoveries = Type.Object({ rows: Type.Array(Recovery) });
export type Recoveries = Static<typeof Recoveries>;
