// The shapes of events and of the webhook endpoint on the wire.

import type { DisburseEvent } from "./event-bodies.ts";
import type { Time } from "./payout-wire.ts";
import type { Subaccount } from "./wire.ts";

/** The fields to change of the subaccount. Omitted fields do not change. */
export type SubaccountChange = {
  /** A public https URL; empty: events are not sent. Setting it again enables a disabled webhook endpoint. */
  postback_url?: string;
  /** Event types to send in addition to the four published ones. Replaces the previous list. */
  event_types?: EventType[];
  /** Levels of balances by currency, in minor units: `balanceLow` is sent below them. Replaces all. */
  balance_levels?: Record<string, number>;
  /** Whether events carry the metadata of their object. */
  event_metadata?: boolean;
  title?: string;
  first_name?: string;
  last_name?: string;
  email?: string;
  support_email?: string;
  mobile_dialcode?: string;
  mobile?: string;
  home_phone_international_dialcode?: string;
  home_telephone?: string;
};

/** The subaccount after a change. */
export type ChangedSubaccount = Subaccount & {
  /** Verifies your events. Only present when this set the first `postback_url`; shown once. */
  postback_secret?: string;
};

/** When a secret was created and when it ends, without the secret itself. */
export type PostbackSecret = {
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Null: valid until the next rotation. */
  expires_at: string | null;
};

/** How long the previous secrets stay valid. */
export type SecretRotation = {
  /** Seconds, 0 to 604,800. Default: a day. */
  overlap_s?: number;
};

/** The new secret, and all live secrets. */
export type RotatedSecret = {
  /** Shown once. */
  secret: string;
  secrets: PostbackSecret[];
};

/** The state of event delivery. */
export type Postback = {
  /** Empty: events are not sent. */
  postback_url: string;
  status: "none" | "working" | "failing" | "disabled";
  failing_since: string | null;
  /** How long it has been failing: the longest of these periods. */
  failing_for: "1h" | "24h" | "7d" | null;
  disabled_at: string | null;
  /** A time in the past means that it is due. */
  next_attempt_at: string | null;
  oldest_waiting_at: string | null;
  /** Counted up to 10,000. */
  waiting: number;
  secrets: PostbackSecret[];
  /** All types that are sent: the four published types, and the requested ones. */
  event_types: EventType[];
  /** In minor units, by currency. Absent: there are none. */
  balance_levels?: Record<string, number>;
  /** Events carry the metadata of their object. Absent: they do not. */
  event_metadata?: boolean;
};

export type EventType = DisburseEvent["event"];

/** waiting: will be sent; undelivered: no longer retried, unless resent; unsent: there was no webhook endpoint. */
export type EventStatus = "waiting" | "delivered" | "undelivered" | "unsent";

/** An event, and the state of its delivery. */
export type EventRecord = {
  /** The id in the `webhook-id` header. */
  id: string;
  type: EventType;
  status: EventStatus;
  data: DisburseEvent;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Attempts of the last 30 days. */
  attempt_count: number;
  /** A time in the past means that it is due. */
  next_attempt_at: string | null;
};

/** One attempt to deliver an event. */
export type DeliveryAttempt = {
  number: number;
  /** Milliseconds since the Unix epoch, as a string. */
  at: string;
  /** Seconds, as in the `webhook-timestamp` header. */
  timestamp: string;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Reason of the failure, in one word; null if it succeeded. */
  failure: string | null;
  detail: string;
  took_ms: number;
  /** The start of the response. */
  answer: string;
  /** The webhook endpoint. Absent: that of `postback_url`. */
  endpoint_id?: string;
};

/** The state of an event at a webhook endpoint other than that of `postback_url`. */
export type FurtherDelivery = {
  endpoint_id: string;
  status: "waiting" | "delivered" | "undelivered";
};

/** An event with every attempt, oldest first. */
export type EventDetail = EventRecord & {
  /** The exact text that is sent and signed. */
  body: string;
  /** Webhook endpoints other than that of `postback_url`, which `status` is about. */
  further_deliveries?: FurtherDelivery[];
  attempts: DeliveryAttempt[];
};

/** Which events to list. Filters combine. */
export type EventFilter = {
  type?: EventType;
  status?: EventStatus;
  payout_id?: string;
  /** Events about the receiver, and about payouts to it. */
  receiver_id?: string;
  /** Then or later. */
  from?: Time;
  /** Before. */
  to?: Time;
  /** How many events one page holds at most. */
  limit?: number;
  /** Where to continue: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** Which events to resend. */
export type EventRecovery = {
  /** Events at or after this time. */
  since: Time;
  /** Events before this time. Default: now. */
  until?: Time;
  /** Also resend delivered events. */
  include_delivered?: boolean;
  /** Only to this webhook endpoint. Default: all. */
  endpoint_id?: string;
};

/** A recovery, which runs in the background. */
export type StartedRecovery = {
  id: string;
  since: string;
  until: string;
};

/** A test event to send. */
export type TestEvent = {
  /** Default: `payoutCreated`. */
  type?: EventType;
  /** Fields of the event to set. */
  set?: Record<string, unknown>;
};

export type AnnouncedTestEvent = {
  id: string;
  type: EventType;
  status: EventStatus;
};

/** An event of the feed. */
export type HeardEvent = {
  id: string;
  type: EventType;
  data: DisburseEvent;
  /** The exact text that webhook endpoints get. */
  body: string;
  /** It was resent. */
  resent: boolean;
  /** A sample event; its ids are invented. */
  isTest: boolean;
};
