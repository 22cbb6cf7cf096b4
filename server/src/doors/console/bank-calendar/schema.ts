// Schemas of the calendar of a bank connection.

import Type, { type Static, type TSchema } from "typebox";
import { input, optional, Sum } from "../../../platform/fields/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const TimeMs = Type.Number({ description: "Milliseconds since the Unix epoch" });
const DateText = Type.String({ description: "YYYY-MM-DD" });

export const BankCalendarQuery = input({
  /** Default: the current month in the time zone of the connection. */
  month: optional(Type.String({ pattern: "^(20\\d\\d)-(0[1-9]|1[0-2])$" })),
});

export const dayKinds = ["banking", "weekend", "holiday", "closed"] as const;
export type BankDayKind = (typeof dayKinds)[number];

const Files = Type.Object({ files: Type.Number(), payouts: Type.Number(), total: Sum });
export type BankFilesOfDay = Static<typeof Files>;

const BankDay = Type.Object({
  date: DateText,
  kind: Type.Unsafe<BankDayKind>(Type.String({ enum: [...dayKinds] })),
  /** Whether the bank processes files. */
  is_clearing: Type.Boolean(),
  /** When payouts that are processed on this day are expected to arrive. Null: none is processed. */
  arrives: orNull(DateText),
  /** The bank files with this process date, without discarded and rejected ones. */
  sent: Files,
  /** The bank files whose payouts are expected to arrive on this day. */
  arriving: Files,
});
export type BankDay = Static<typeof BankDay>;

export const BankCalendar = Type.Object({
  as_of: TimeMs,
  month: Type.String(),
  /** In the time zone of the connection. */
  today: DateText,
  currency: Type.String(),
  time_zone: Type.String(),
  /** HH:MM on the clocks of the time zone. */
  freeze_at: Type.String(),
  bank_cutoff: Type.String(),
  /** The dates of a payout that is released now. */
  now: Type.Object({
    process_date: DateText,
    freezes_at: TimeMs,
    cutoff: TimeMs,
    expected_arrival: DateText,
  }),
  days: Type.Array(BankDay),
});
export type BankCalendar = Static<typeof BankCalendar>;
