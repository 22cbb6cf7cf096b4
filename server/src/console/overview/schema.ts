// What the overview asks for and shows. Amounts of different currencies are never one figure.

import Type, { type Static, type TSchema } from "typebox";
import { defineFormat } from "../../fields/fields.ts";
import { input, optional, Sum } from "../fields.ts";
import { isTimeZone, timeRanges } from "../rollups/time-ranges.ts";

defineFormat("time-zone", isTimeZone);

export const OverviewQuery = input({
  /** 7d when absent. */
  range: optional(Type.String({ pattern: `^(${timeRanges.join("|")})$` })),
  /** Of payouts in this currency alone. */
  currency: optional(Type.String({ format: "currency" })),
  /** Whose days are shown, such as Australia/Melbourne; UTC when absent. */
  time_zone: optional(Type.String({ format: "time-zone" })),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Count = Type.Number();
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });
const Amount = Sum;

const Paid = Type.Object({
  currency: Type.String(),
  /** Today, and yesterday until the same time. */
  count: Count,
  amount: Amount,
  amount_before: Amount,
  /** Of each bucket of the range. */
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
  "endpoint_failing",
  "endpoint_disabled",
  "payouts_set_aside",
  "payouts_late",
  "payouts_awaiting_approval",
  "bank_changes_awaiting_approval",
  "payouts_failing",
  "endpoint_missing",
  "kyc_late",
  "kyc_waiting",
  "funds_low",
  "keys_ending",
  "events_abandoned",
  "key_awaiting_approval",
  "limits_awaiting_approval",
  "keys_new",
  "users_new",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export const Attention = Type.Object({
  kind: Type.Unsafe<AttentionKind>(Type.String({ enum: [...attentionKinds] })),
  count: orNull(Count),
  /** Of how many, where it is a share. */
  of: orNull(Count),
  /** There are more than were counted. */
  is_more: Type.Boolean(),
  /** Since when it is so, or when it will be. */
  at: orNull(TimeMs),
  /** The host of an endpoint, the name of a key, a currency. */
  name: Type.String(),
  amount: orNull(Amount),
  /** The screen to open, and what it is filtered by. */
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
    /** Receivers made in the range, by how far they are now. */
    made: Count,
    waiting: Count,
    verified: Count,
    refused: Count,
    is_more: Type.Boolean(),
    /** All that wait, by how long. */
    ages: Type.Array(Type.Object({ age: Type.String(), count: Count })),
  }),
});

export const Overview = Type.Object({
  /** Up to when everything is added up. */
  as_of: TimeMs,
  /** Moves of money that are not added up yet: the figures grow until there are none. */
  behind: Count,
  range: Type.String({ enum: [...timeRanges] }),
  time_zone: Type.String(),
  currencies: Type.Array(Type.String()),
  currency: orNull(Type.String()),
  /** Hours or days: the figures of plots and sparks are of these, in their order. */
  buckets: Type.Array(Type.Object({ from: TimeMs, to: TimeMs })),
  tiles: Tiles,
  attention: Type.Array(Attention),
  plots: Plots,
});
export type Overview = Static<typeof Overview>;
