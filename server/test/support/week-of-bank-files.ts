// The metrics of a week in which a live installation pays by bank files, as a test file for promtool. The times are
// those of the connections: nothing leaves for hours, or over a weekend, and then thousands of payouts at once.

import { bankingCalendar } from "../../../packages/bank-formats/src/calendars/banking-days.ts";
import {
  type BankConnection,
  type BatchWindow,
  openWindow,
} from "../../src/banking/connections/connection.ts";
import { bankFormats } from "../../src/banking/connections/formats/formats.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const stepMs = 15 * minuteMs;

/** A Monday. The week ends with the Tuesday after it, so that the weekend is in the middle of what waits. */
const startMs = Date.UTC(2026, 5, 1);
const days = 8;
const connections = ["aba", "nacha", "nz-anz", "pain.001.001.09-eur", "pain.001.001.09-gbp-bacs"];

export type WeekTrouble = {
  /** The file that no user approves, by the number of its banking day. */
  unapprovedDay?: number;
  /** From then on no worker runs. */
  workerStopsAtMs?: number;
};

type File = BatchWindow & { sentAtMs: number; settledAtMs: number };

/** Each file is sent 25 minutes after its freeze, and settled two files later. */
function filesOf(format: string, { unapprovedDay, workerStopsAtMs }: WeekTrouble): File[] {
  const usual = bankFormats.get(format)?.usual;
  if (!usual) throw new Error(`no format ${format}`);
  const { timeZone: time_zone, bankCutoff: bank_cutoff } = usual;
  const [hour = 0] = bank_cutoff.split(":").map(Number);
  const freeze_at = `${String(hour - 1).padStart(2, "0")}:00`;
  const connection = {
    calendar: bankingCalendar(usual.calendar, []),
    row: { time_zone, freeze_at, bank_cutoff },
  } as BankConnection;
  const windows: BatchWindow[] = [];
  for (let atMs = startMs - 7 * dayMs; atMs < startMs + (days + 7) * dayMs; ) {
    const window = openWindow(connection, atMs);
    windows.push(window);
    atMs = window.freezesAtMs;
  }
  const ofTheWeek = windows.filter(({ freezesAtMs }) => freezesAtMs >= startMs);
  return windows.map((window, place) => ({
    ...window,
    sentAtMs:
      window === ofTheWeek[unapprovedDay ?? -1] ||
      window.freezesAtMs >= (workerStopsAtMs ?? Infinity)
        ? Number.POSITIVE_INFINITY
        : window.freezesAtMs + 25 * minuteMs,
    settledAtMs: windows[place + 2]?.freezesAtMs ?? Number.POSITIVE_INFINITY,
  }));
}

const payoutsOfFile = 2_000;
const returnsOfFile = 30;

/** The value of each series at a time. Undefined: it is absent then. */
function seriesOf(trouble: WeekTrouble): Record<string, (atMs: number) => number | undefined> {
  const files = connections.flatMap((format) => filesOf(format, trouble));
  const stops = trouble.workerStopsAtMs ?? Number.POSITIVE_INFINITY;
  const count = (isDone: (file: File) => boolean, each: number) =>
    each * files.filter(isDone).length;
  const ageOf = (sinceMs: readonly number[], atMs: number) =>
    Math.max(0, ...sinceMs.map((ms) => (atMs - ms) / 1000));
  const moves = (stage: string) => `disburse_payout_moves_total{to_stage="${stage}"}`;
  // A user decides on Monday morning what came on Friday afternoon.
  const [friday, monday] = [startMs + 4 * dayMs + 15 * hourMs, startMs + 7 * dayMs + 9 * hourMs];
  const overWeekend = (atMs: number) =>
    atMs >= friday && atMs < monday ? (atMs - friday) / 1000 : 0;
  return {
    [moves("queued")]: (atMs) => (payoutsOfFile * connections.length * (atMs - startMs)) / dayMs,
    [moves("batched")]: (atMs) =>
      count(({ freezesAtMs }) => freezesAtMs <= Math.min(atMs, stops), payoutsOfFile),
    [moves("submitted")]: (atMs) => count(({ sentAtMs }) => sentAtMs <= atMs, payoutsOfFile),
    // The bank's answer of the next morning has all returns of a file.
    [moves("returned")]: (atMs) =>
      count(({ sentAtMs }) => sentAtMs + 14 * hourMs <= atMs, returnsOfFile),
    'disburse_payouts_oldest_due_age_seconds{mode="live"}': (atMs) =>
      ageOf(
        files.map(({ freezesAtMs }) => freezesAtMs).filter((ms) => ms >= stops),
        atMs,
      ),
    'disburse_payouts_oldest_submitted_age_seconds{mode="live"}': (atMs) =>
      ageOf(
        files
          .filter((one) => one.sentAtMs <= atMs && one.settledAtMs > atMs)
          .map((one) => one.sentAtMs),
        atMs,
      ),
    disburse_bank_batches_cutoff_left_seconds: (atMs) => {
      const unsent = files.filter(
        (one) => one.freezesAtMs <= Math.min(atMs, stops) && one.sentAtMs > atMs,
      );
      if (unsent.length === 0) return undefined;
      return Math.min(...unsent.map(({ cutoffMs }) => (cutoffMs - atMs) / 1000));
    },
    disburse_bank_polls_oldest_age_seconds: (atMs) => ((atMs - startMs) / 1000) % 600,
    disburse_bank_files_refused: () => 0,
    'disburse_approvals_oldest_age_seconds{kind="payout"}': overWeekend,
    disburse_suspense_oldest_age_seconds: overWeekend,
    disburse_payouts_oldest_hold_age_seconds: overWeekend,
    disburse_screening_oldest_hit_age_seconds: overWeekend,
    disburse_receivers_oldest_review_age_seconds: overWeekend,
    disburse_payouts_set_aside: () => 0,
    disburse_ready: () => 1,
    'up{job="disburse"}': () => 1,
  };
}

/** Expects that these alerts fire at any time of the week, and no other. */
export function weekOfBankFiles(
  rulesFile: string,
  trouble: WeekTrouble,
  firing: readonly string[],
) {
  const steps = (days * dayMs) / stepMs;
  const input_series = Object.entries(seriesOf(trouble)).map(([series, valueAt]) => ({
    series,
    values: Array.from(
      { length: steps },
      (_, step) => valueAt(startMs + step * stepMs) ?? "_",
    ).join(" "),
  }));
  return {
    rule_files: [rulesFile],
    evaluation_interval: "15m",
    tests: [
      {
        interval: "15m",
        input_series,
        promql_expr_test: [
          {
            expr: `count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[${days}d]))`,
            eval_time: `${days}d`,
            exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
          },
        ],
      },
    ],
  };
}

/** The Thursday, before any of its files is frozen. */
export const thursdayMs = startMs + 3 * dayMs;
