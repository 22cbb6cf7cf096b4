// Schemas of the overview. Amounts of different currencies are never added.

import Type, { type Static, type TSchema } from "typebox";
import { isTimeZone } from "../../../../../packages/bank-formats/src/calendars/index.ts";
import { defineFormat, input, optional, Sum } from "../../../platform/fields/index.ts";
import { timeRanges } from "../rollups/time-ranges.ts";

defineFormat("time-zone", isTimeZone);

export const OverviewQuery = input({
  /** Default: 7d. */
  range: optional(Type.String({ pattern: `^(${timeRanges.join("|")})$` })),
  /** Only payouts in this currency. */
  currency: optional(Type.String({ format: "currency" })),
  /** Days start at midnight of this time zone, such as Australia/Melbourne. Default: UTC. */
  time_zone: optional(Type.String({ format: "time-zone" })),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Count = Type.Number();
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });
const Amount = Sum;

const Paid = Type.Object({
  currency: Type.String(),
  /** Today, and yesterday up to the same time of day. */
  count: Count,
  amount: Amount,
  amount_before: Amount,
  /** One value per bucket. */
  spark: Type.Array(Amount),
});

const Tiles = Type.Object({
  paid: Type.Array(Paid),
  in_flight: Type.Object({
    count: Count,
    amounts: Type.Array(Type.Object({ currency: Type.String(), amount: Amount })),
    oldest_at: orNull(TimeMs),
  }),
  failed: Type.Object({
    count: Count,
    of: Count,
    spark: Type.Array(Count),
  }),
  kyc_waiting: Type.Object({ count: Count, is_more: Type.Boolean(), oldest_at: orNull(TimeMs) }),
  webhooks: Type.Object({
    attempts: Count,
    delivered: Count,
    p95_ms: orNull(Type.Number()),
  }),
});

const attentionKinds = [
  "bank_file_awaiting_approval",
  "endpoint_failing",
  "endpoint_secret_unreadable",
  "endpoint_disabled",
  "payouts_set_aside",
  "payouts_late",
  "payouts_on_hold",
  "payouts_awaiting_approval",
  "hits_open",
  "bank_changes_awaiting_approval",
  "payouts_failing",
  "endpoint_missing",
  "kyc_late",
  "kyc_waiting",
  "funds_low",
  "keys_ending",
  "events_abandoned",
  "key_awaiting_approval",
  "rotation_awaiting_approval",
  "limits_awaiting_approval",
  "erasure_awaiting_approval",
  "resolution_awaiting_approval",
  "requests_expiring",
  "bank_requests_awaiting",
  "bank_discard_awaiting_approval",
  "bank_connection_awaiting_approval",
  "rules_awaiting_approval",
  "screening_list_awaiting_approval",
  "finance_approval_awaiting_approval",
  "token_awaiting_approval",
  "tokens_ending",
  "keys_new",
  "users_new",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export const Attention = Type.Object({
  kind: Type.Unsafe<AttentionKind>(Type.String({ enum: [...attentionKinds] })),
  count: orNull(Count),
  /** The total, if `count` is a share of it. */
  of: orNull(Count),
  /** Counting stopped at a bound. */
  is_more: Type.Boolean(),
  /** Since when, or from when on. */
  at: orNull(TimeMs),
  /** The host of a webhook endpoint, the name of a key, or a currency. */
  name: Type.String(),
  amount: orNull(Amount),
  /** The screen to open, with its filters. */
  opens: Type.Object({ screen: Type.String(), query: Type.Record(Type.String(), Type.String()) }),
});
export type Attention = Static<typeof Attention>;

const Plots = Type.Object({
  payouts: Type.Array(Type.Object({ pending: Count, successful: Count, failed: Count })),
  volume: Type.Array(Type.Object({ currency: Type.String(), amounts: Type.Array(Amount) })),
  settling: Type.Array(
    Type.Object({
      count: Count,
      p50_ms: orNull(Type.Number()),
      p95_ms: orNull(Type.Number()),
    }),
  ),
  causes: Type.Array(Type.Object({ cause: Type.String(), code: Type.String(), count: Count })),
  webhooks: Type.Array(
    Type.Object({ ok: Count, retried: Count, failed: Count, p95_ms: orNull(Type.Number()) }),
  ),
  kyc: Type.Object({
    /** Receivers created in the range, by their current state. */
    made: Count,
    waiting: Count,
    verified: Count,
    refused: Count,
    is_more: Type.Boolean(),
    /** All open checks, by age. */
    ages: Type.Array(Type.Object({ age: Type.String(), count: Count })),
  }),
});

export const Overview = Type.Object({
  /** The roll-ups are complete up to this time. */
  as_of: TimeMs,
  /** Transfers that are not in the roll-ups yet. */
  behind: Count,
  range: Type.String({ enum: [...timeRanges] }),
  time_zone: Type.String(),
  currencies: Type.Array(Type.String()),
  /** Whether there has ever been one. */
  has_payouts: Type.Boolean(),
  currency: orNull(Type.String()),
  /** Hours or days. Plots and sparklines have one value per bucket, in this order. */
  buckets: Type.Array(Type.Object({ from: TimeMs, to: TimeMs })),
  tiles: Tiles,
  attention: Type.Array(Attention),
  plots: Plots,
});
export type Overview = Static<typeof Overview>;
