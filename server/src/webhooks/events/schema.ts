// The schemas of events: records, attempts, filters, resend, recovery and test events.

import Type, { type Static } from "typebox";
import {
  EventBody,
  eventStatuses,
  eventTypes,
  readEventId,
} from "../../platform/event-catalogue/index.ts";
import {
  defineFormat,
  type FieldCodes,
  type SchemaExtras,
  type TextOptions,
  text,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";

const milliseconds = { description: "Milliseconds since the Unix epoch" };

const typePattern = `^(${eventTypes.join("|")})$`;

const recordFields = {
  id: Type.String({ description: "As in the webhook-id header", examples: ["evt_…"] }),
  type: Type.String({ enum: [...eventTypes] }),
  status: Type.String({
    enum: [...eventStatuses],
    description:
      "waiting: will be sent or retried; delivered: your webhook endpoint responded with " +
      "2xx; undelivered: no longer retried, unless you resend it; unsent: there was no " +
      "webhook endpoint. It is about the webhook endpoint of postback_url",
  }),
  data: EventBody,
  created_at: Type.String(milliseconds),
  attempt_count: Type.Number({
    description: `Number of attempts in the last ${limits.attemptKeptDays} days`,
  }),
  next_attempt_at: Type.Union([Type.String(), Type.Null()], {
    description: "Milliseconds since the Unix epoch. A time in the past means that it is due",
  }),
};

export const EventRecord = Type.Object(recordFields, { title: "EventRecord" });
export type EventRecord = Static<typeof EventRecord>;

const DeliveryAttempt = Type.Object(
  {
    number: Type.Number({
      description: "Number of the attempt, from 1; starts again after a resend",
    }),
    at: Type.String(milliseconds),
    timestamp: Type.String({ description: "Seconds, as in the webhook-timestamp header" }),
    status: Type.Union([Type.Number(), Type.Null()], {
      description: "HTTP status of the response; null if there was none",
    }),
    failure: Type.Union([Type.String(), Type.Null()], {
      description: "Reason of the failure, in one word; null if it succeeded",
    }),
    detail: Type.String(),
    took_ms: Type.Number(),
    answer: Type.String({ description: "The start of the response" }),
    endpoint_id: Type.Optional(
      Type.String({
        description: "The webhook endpoint. Absent: that of postback_url",
      }),
    ),
  },
  { title: "DeliveryAttempt" },
);

const FurtherDelivery = Type.Object(
  {
    endpoint_id: Type.String({ format: "uuid" }),
    status: Type.String({ enum: ["waiting", "delivered", "undelivered"] }),
  },
  { title: "FurtherDelivery" },
);

export const EventDetail = Type.Object(
  {
    ...recordFields,
    body: Type.String({ description: "The exact text that is sent and signed" }),
    further_deliveries: Type.Optional(
      Type.Array(FurtherDelivery, {
        description:
          "To webhook endpoints other than that of postback_url, which `status` is about",
      }),
    ),
    attempts: Type.Array(DeliveryAttempt, { description: "Oldest first" }),
  },
  { title: "EventDetail" },
);
export type EventDetail = Static<typeof EventDetail>;

defineFormat("event-id", (value) => readEventId(value) !== undefined);

const filter = (invalid: FieldCodes["invalid"], options: TextOptions) =>
  Type.Optional(text({ invalid }, options));
const time = { pattern: "^\\d{1,15}$" };

export const EventFilter = Type.Object(
  {
    type: filter("EVNT402", { pattern: typePattern, description: eventTypes.join(", ") }),
    status: filter("EVNT403", {
      pattern: `^(${eventStatuses.join("|")})$`,
      description: eventStatuses.join(", "),
    }),
    payout_id: filter("EVNT404", { format: "known-id" }),
    receiver_id: filter("EVNT405", {
      format: "known-id",
      description: "Events about the receiver, and about payouts to it",
    }),
    from: filter("EVNT406", {
      ...time,
      description: "Happened at or after: milliseconds since the Unix epoch",
    }),
    to: filter("EVNT407", {
      ...time,
      description: "Happened before: milliseconds since the Unix epoch",
    }),
    limit: filter("EVNT401", {
      format: "list-limit",
      description: `Events per page, 1 to ${limits.listMax}; default ${limits.listDefault}`,
    }),
    cursor: filter("EVNT408", {
      format: "list-cursor",
      description: "From the link header of the page before",
    }),
  },
  { title: "EventFilter", ...({ unknownField: "EVNT409" } satisfies SchemaExtras) },
);
export type EventFilter = Static<typeof EventFilter>;

export const FeedFilter = Type.Object(
  {
    last_event_id: filter("EVNT410", {
      format: "event-id",
      description: "Where to continue, for clients that can't send a last-event-id header",
    }),
  },
  { title: "FeedFilter", ...({ unknownField: "EVNT409" } satisfies SchemaExtras) },
);

const body: SchemaExtras & { additionalProperties: false } = {
  additionalProperties: false,
  unknownField: "EVNT206",
};

const endpointId = Type.Optional(
  Type.String({
    format: "known-id",
    description: "Only to this webhook endpoint; default all",
    codes: { invalid: "ENDP101" } satisfies FieldCodes,
  }),
);

export const EventResend = Type.Object(
  { endpoint_id: endpointId },
  { title: "EventResend", description: "May be omitted", ...body },
);

const moment = (codes: FieldCodes, description: string) =>
  Type.Union(
    [Type.Integer({ minimum: 0, maximum: 1e15 }), Type.String({ pattern: "^\\d{1,15}$" })],
    {
      description: `Milliseconds since the Unix epoch, as a number or as its digits. ${description}`,
      codes,
    },
  );

export const EventRecovery = Type.Object(
  {
    since: moment({ missing: "EVNT203", invalid: "EVNT203" }, "Events at or after this time"),
    until: Type.Optional(moment({ invalid: "EVNT204" }, "Events before this time; default now")),
    include_delivered: Type.Optional(
      Type.Boolean({
        description: "Also resend delivered events",
        codes: { invalid: "EVNT205" } satisfies FieldCodes,
      }),
    ),
    endpoint_id: endpointId,
  },
  { title: "EventRecovery", ...body },
);
export type EventRecovery = Static<typeof EventRecovery>;

export const EndpointFill = Type.Object(
  { since: Type.Optional(moment({ invalid: "ENDP211" }, "Default: 30 days ago")) },
  {
    title: "WebhookEndpointFill",
    description: "May be omitted",
    additionalProperties: false,
    ...({ unknownField: "ENDP207" } satisfies SchemaExtras),
  },
);

export const StartedRecovery = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    since: Type.String(milliseconds),
    until: Type.String(milliseconds),
  },
  { title: "StartedRecovery" },
);
export type StartedRecovery = Static<typeof StartedRecovery>;

export const RecoveryPreview = Type.Object({
  count: Type.Number(),
  /** Events that were never sent, because there was no URL. `count` includes them only on request. */
  unsent: Type.Number(),
  /** There may be more: counting stops at a bound. */
  is_capped: Type.Boolean(),
  needs_step_up: Type.Boolean(),
});
export type RecoveryPreview = Static<typeof RecoveryPreview>;

export const TestEvent = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        pattern: typePattern,
        description: `${eventTypes.join(", ")}; default payoutCreated`,
        codes: { invalid: "EVNT201" } satisfies FieldCodes,
      }),
    ),
    set: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Fields of the event to set",
        codes: { invalid: "EVNT202" } satisfies FieldCodes,
      }),
    ),
  },
  { title: "TestEvent", ...body },
);
export type TestEvent = Static<typeof TestEvent>;

export const AnnouncedTestEvent = Type.Object(
  { id: recordFields.id, type: recordFields.type, status: recordFields.status },
  { title: "AnnouncedTestEvent" },
);
export type AnnouncedTestEvent = Static<typeof AnnouncedTestEvent>;
