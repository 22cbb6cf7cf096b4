// The shapes of webhook endpoints on the wire.

import type { EventType, Postback, PostbackSecret } from "./event-wire.ts";
import type { Time } from "./payout-wire.ts";

/** A webhook endpoint of the subaccount. */
export type WebhookEndpoint = {
  /** That of `postback_url` has the id of the subaccount. */
  id: string;
  url: string;
  description: string;
  /** It is the one of `postback_url`. */
  is_postback: boolean;
  event_types: EventType[];
  /** thin: only `id`, `type`, `object_id` and `time` are sent. */
  format: "full" | "thin";
  /** Of the headers that you have set. Their values are not shown. */
  header_names: string[];
  /** Null: failures never disable it. */
  disable_after_days: number | null;
  /** Milliseconds since the Unix epoch, as a string. Null for that of `postback_url`. */
  created_at: string | null;
  status: "working" | "failing" | "paused" | "disabled";
  disabled_because: "failing" | "gone" | "secret" | null;
  failing_since: string | null;
  failing_for: Postback["failing_for"];
  disabled_at: string | null;
  next_attempt_at: string | null;
  oldest_waiting_at: string | null;
  /** Counted up to 10,000. */
  waiting: number;
  secrets: PostbackSecret[];
  /** Its attempts of the last 24 hours. */
  last_day: {
    attempts: number;
    delivered: number;
    p50_ms: number | null;
    p95_ms: number | null;
  };
};

/** The webhook endpoint after a change. */
export type ChangedWebhookEndpoint = WebhookEndpoint & {
  /** Verifies its events. Shown once. */
  secret?: string;
};

/** A webhook endpoint to create. */
export type NewWebhookEndpoint = {
  /** Public and https. */
  url: string;
  description?: string;
  event_types: EventType[];
  /** Default: full. */
  format?: "full" | "thin";
  /** Headers to send with each event, such as authorization. */
  headers?: Record<string, string>;
  /** Days of failures after which it is disabled, 1 to 7. Default: 3. */
  disable_after_days?: number;
};

/** The fields to change. Omitted fields do not change. */
export type WebhookEndpointChange = Partial<Omit<NewWebhookEndpoint, "disable_after_days">> & {
  /** Null, only for that of `postback_url`: never. */
  disable_after_days?: number | null;
};

/** From when on to send earlier events. */
export type WebhookEndpointFill = {
  /** Default: 30 days ago. */
  since?: Time;
};
