// The calendar of a bank connection: its banking days, cut-offs, files and expected arrivals, and the dates of a payout
// that is released now.

import {
  addDays,
  expectedArrival,
  isBankingDay,
  isClearingDay,
  wallClockAt,
  weekdayOf,
} from "../../../../../packages/bank-formats/src/calendars/index.ts";
import { type BankConnection, openWindow } from "../../../banking/connections/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { monthOf } from "../reconcile/period.ts";
import { listProcessDates } from "./queries.ts";
import type { BankCalendar, BankDay, BankDayKind, BankFilesOfDay } from "./schema.ts";

/** Payouts of a file before the month can arrive in it. No clearing takes longer, with all holidays. */
const earlierDays = 14;

export async function readBankCalendar(
  db: Runner,
  connection: BankConnection,
  { month: chosen, nowMs }: { month: string | undefined; nowMs: number },
): Promise<BankCalendar> {
  const { id, row, clearing, calendar } = connection;
  const { date: today } = wallClockAt(nowMs, row.time_zone);
  const month = chosen ?? today.slice(0, 7);
  const dates = datesOf(month);
  const [first = "", last = ""] = [dates[0], dates.at(-1)];
  const range = { from: addDays(first, -earlierDays), to: last };
  const found = (await listProcessDates(db, id, range)).map((files) => ({
    ...files,
    arrival: expectedArrival(clearing, calendar, files.process_date),
  }));
  const window = openWindow(connection, nowMs);
  return {
    as_of: nowMs,
    month,
    today,
    currency: row.currency,
    time_zone: row.time_zone,
    freeze_at: row.freeze_at,
    bank_cutoff: row.bank_cutoff,
    now: {
      process_date: window.processDate,
      freezes_at: window.freezesAtMs,
      cutoff: window.cutoffMs,
      expected_arrival: expectedArrival(clearing, calendar, window.processDate),
    },
    days: dates.map((date) => ({
      date,
      ...kindOf(connection, date),
      sent: sumOf(found.filter((files) => files.process_date === date)),
      arriving: sumOf(found.filter((files) => files.arrival === date)),
    })),
  };
}

function datesOf(month: string): string[] {
  const { fromMs, toMs } = monthOf(month);
  const count = Math.round((toMs - fromMs) / 86_400_000);
  return Array.from({ length: count }, (_, place) => addDays(`${month}-01`, place));
}

function kindOf(
  { calendar, clearing }: BankConnection,
  date: string,
): Pick<BankDay, "kind" | "is_clearing" | "arrives"> {
  const isClearing = isClearingDay(calendar, date);
  const weekday = weekdayOf(date);
  const isWeekend = weekday === 0 || weekday === 6;
  const free: BankDayKind = isWeekend ? "weekend" : "holiday";
  const closed: BankDayKind = calendar.closedDays.has(date) ? "closed" : free;
  return {
    kind: isBankingDay(calendar, date) ? "banking" : closed,
    is_clearing: isClearing,
    arrives: isClearing ? expectedArrival(clearing, calendar, date) : null,
  };
}

type FileSums = { files: number; payouts: string; total: string };

function sumOf(found: readonly FileSums[]): BankFilesOfDay {
  return {
    files: found.reduce((sum, { files }) => sum + files, 0),
    payouts: found.reduce((sum, { payouts }) => sum + Number(payouts), 0),
    total: toSum(found.reduce((sum, { total }) => sum + BigInt(total), 0n)),
  };
}
