// How long each kind of data is kept: one table. The settings, the worker, the docs and erasure read it. Pure.

import { wholeNumber } from "../settings/index.ts";

type RetentionRow = { setting: string; days: number; daysMin: number; what: string };

/** Seven years, with their leap days. */
const sevenYears = 2557;
const year = 366;

export const retentionTable = {
  payouts: {
    setting: "RETENTION_PAYOUTS_DAYS",
    days: sevenYears,
    daysMin: year,
    what: "texts of payouts, their histories and holds",
  },
  bankFiles: {
    setting: "RETENTION_BANK_FILES_DAYS",
    days: sevenYears,
    daysMin: year,
    what: "bytes of files to and from banks, texts of statement lines and suspense",
  },
  audit: {
    setting: "RETENTION_AUDIT_DAYS",
    days: sevenYears,
    daysMin: year,
    what: "content of audit entries",
  },
  screening: {
    setting: "RETENTION_SCREENING_DAYS",
    days: sevenYears,
    daysMin: year,
    what: "evidence of decided screening hits, notes of reviews",
  },
  events: {
    setting: "RETENTION_EVENTS_DAYS",
    days: 90,
    // A delivery is retried for 30 days.
    daysMin: 31,
    what: "events",
  },
  requestLog: {
    setting: "RETENTION_REQUEST_LOG_DAYS",
    days: 30,
    daysMin: 1,
    what: "log of API requests",
  },
} as const satisfies Record<string, RetentionRow>;

export type RetentionKind = keyof typeof retentionTable;

/** Days, by kind. */
export type Retention = Record<RetentionKind, number>;

type SettingName = (typeof retentionTable)[RetentionKind]["setting"];
type DaysSetting = { fallback: string; meaning: string; read: (text: string) => number };

export const retentionKinds = Object.keys(retentionTable) as RetentionKind[];

/** The rows of this table among the settings of config.ts. */
export const retentionSettings = Object.fromEntries(
  retentionKinds.map((kind) => {
    const { setting, days, daysMin, what } = retentionTable[kind];
    const meaning = `Days for which we keep: ${what}`;
    return [setting, { fallback: String(days), meaning, read: wholeNumber(daysMin, 36_525) }];
  }),
) as Record<SettingName, DaysSetting>;

export function retentionOf(values: Record<SettingName, number>): Retention {
  return Object.fromEntries(
    retentionKinds.map((kind) => [kind, values[retentionTable[kind].setting]]),
  ) as Retention;
}

export const defaultRetention: Retention = Object.fromEntries(
  retentionKinds.map((kind) => [kind, retentionTable[kind].days]),
) as Retention;

export const retentionDayMs = 86_400_000;

export const retentionLimits = {
  /** How often old rows are looked for. */
  pollMs: 6 * 3_600_000,
  /** Rows of one transaction, and transactions of one round. */
  page: 500,
  pagesMax: 200,
};
