// The shapes that travel on the wire about events and where they go.

import type { DisburseEvent } from "./event-bodies.ts";
import type { Time } from "./payout-wire.ts";
import type { Subaccount } from "./wire.ts";

/** What is to become different about the subaccount. What is left out stays as it is. */
export type SubaccountChange = {
  /** A public https address; empty: nowhere. Set again, it enables what was disabled. */
  postback_url?: string;
  /** Types of events to be sent beside the four published ones. Replaces those asked for before. */
  event_types?: EventType[];
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
  /** Verifies your events. Only there when this set the first `postback_url`, and shown this once. */
  postback_secret?: string;
};

/** When a secret was made and when it ends, never what it is. */
export type PostbackSecret = {
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Null: it goes on until the next rotation. */
  expires_at: string | null;
};

/** For how long the secrets before go on. */
export type SecretRotation = {
  /** Seconds, 0 to 604,800. Default: a day. */
  overlap_s?: number;
};

/** A new secret, and all that are live now. */
export type RotatedSecret = {
  /** Shown this once. */
  secret: string;
  secrets: PostbackSecret[];
};

/** How the delivery of events stands. */
export type Postback = {
  /** Empty: nowhere. */
  postback_url: string;
  status: "none" | "working" | "failing" | "disabled";
  failing_since: string | null;
  /** The longest of these that it has been failing for. */
  failing_for: "1h" | "24h" | "7d" | null;
  disabled_at: string | null;
  /** May lie in the past: then it is due. */
  next_attempt_at: string | null;
  oldest_waiting_at: string | null;
  /** Counted up to 10,000 and no further. */
  waiting: number;
  secrets: PostbackSecret[];
  /** Everything that is sent: the four published types, and those that you asked for. */
  event_types: EventType[];
};

export type EventType = DisburseEvent["event"];

/** waiting: will be tried; undelivered: given up until it is resent; unsent: there was no endpoint. */
export type EventStatus = "waiting" | "delivered" | "undelivered" | "unsent";

/** An event, and what became of it. */
export type EventRecord = {
  /** As in the `webhook-id` header. */
  id: string;
  type: EventType;
  status: EventStatus;
  data: DisburseEvent;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Of the last 30 days. */
  attempt_count: number;
  /** May lie in the past: then it is due. */
  next_attempt_at: string | null;
};

/** One try to deliver an event. */
export type DeliveryAttempt = {
  number: number;
  /** Milliseconds since the Unix epoch, as a string. */
  at: string;
  /** Seconds, as in the `webhook-timestamp` header. */
  timestamp: string;
  /** Of the answer; null when none came. */
  status: number | null;
  /** Why it did not count, in a word; null when it did. */
  failure: string | null;
  detail: string;
  took_ms: number;
  /** How the answer began. */
  answer: string;
};

/** An event with every try to deliver it, oldest first. */
export type EventDetail = EventRecord & {
  /** The exact text that is sent and signed. */
  body: string;
  attempts: DeliveryAttempt[];
};

/** Which events to list. Filters combine. */
export type EventFilter = {
  type?: EventType;
  status?: EventStatus;
  payout_id?: string;
  /** Those about the receiver, and about payouts to it. */
  receiver_id?: string;
  /** Then or later. */
  from?: Time;
  /** Before. */
  to?: Time;
  /** How many events one page holds at most. */
  limit?: number;
  /** Where to go on: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** Which events are to be told again. */
export type EventRecovery = {
  /** The first moment that counts. */
  since: Time;
  /** The first that no longer does. Default: now. */
  until?: Time;
  /** Also what was delivered. */
  include_delivered?: boolean;
};

/** What is told again, in the background. */
export type StartedRecovery = {
  id: string;
  since: string;
  until: string;
};

/** An event to be made up. */
export type TestEvent = {
  /** Default: `payoutCreated`. */
  type?: EventType;
  /** Fields that are to have these values. */
  set?: Record<string, unknown>;
};

export type AnnouncedTestEvent = {
  id: string;
  type: EventType;
  status: EventStatus;
};

/** An event as the feed tells it. */
export type HeardEvent = {
  id: string;
  type: EventType;
  data: DisburseEvent;
  /** The exact text, as it is sent to endpoints. */
  body: string;
  /** Somebody asked for it again. */
  resent: boolean;
  /** Nothing happened for it, and its ids are made up. */
  isTest: boolean;
};
