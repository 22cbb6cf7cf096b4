// A bank connection: one of our own accounts at a bank, the format of its files, and its times.

import {
  addBankingDays,
  type BankingCalendar,
  bankingCalendar,
  type CalendarName,
  type Clearing,
  clearingDayBefore,
  expectedArrival,
  instantOf,
  processDateFor,
} from "../../../../packages/bank-formats/src/calendars/index.ts";
import type { PaymentFormat } from "../../../../packages/bank-formats/src/index.ts";
import {
  bankRailPrefix,
  type Rail,
  type RailEntry,
  type RailSchedule,
} from "../../money/rails/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { feeRuleOf } from "./connection-fee.ts";
import type { ConnectionRow } from "./connection-queries.ts";
import { listConnections } from "./connection-queries.ts";
import { bankFormats } from "./formats/formats.ts";

export type BankConnection = {
  id: string;
  /** The name of its rail, which payouts and transfers carry. */
  rail: string;
  row: ConnectionRow;
  // A table of formats, each with settings of its own, has no type that fits all of them.
  format: PaymentFormat<object>;
  settings: object;
  /** Undefined: its files are downloaded. */
  sftp: SftpSettings | undefined;
  clearing: Clearing;
  calendar: BankingCalendar;
};

export function railIdOf(connectionId: string): string {
  return bankRailPrefix + connectionId;
}

export const settingsIdentity = (id: string) => `bank_connection.settings:${id}`;
export const sftpIdentity = (id: string) => `bank_connection.sftp:${id}`;

/** Undefined where its settings can't be decrypted: then nothing is paid through it. */
export function toConnection(row: ConnectionRow, seal: Seal): BankConnection | undefined {
  const text = seal.decryptIfReadable(row.settings_sealed, settingsIdentity(row.id));
  const known = bankFormats.get(row.format);
  const sftp = row.sftp_sealed && seal.decryptIfReadable(row.sftp_sealed, sftpIdentity(row.id));
  if (text === undefined || !known || sftp === undefined) return undefined;
  return {
    id: row.id,
    rail: railIdOf(row.id),
    row,
    format: known.format,
    settings: JSON.parse(text),
    sftp: sftp === null ? undefined : JSON.parse(sftp),
    clearing: known.clearing,
    calendar: bankingCalendar(row.calendar as CalendarName, row.closed_days),
  };
}

/** With the id, or refused: there is none, or its settings can't be decrypted. */
export async function requireConnection(
  { db, seal }: { db: Runner; seal: Seal },
  id: string,
): Promise<BankConnection> {
  const row = (await listConnections(db)).find((one) => one.id === id);
  if (!row) throw new Refusal("BANK102");
  const connection = toConnection(row, seal);
  if (!connection) throw new Refusal("BANK503");
  return connection;
}

/** A day's bank batch: when we freeze it, and until when the bank takes it. */
export type BatchWindow = { processDate: string; freezesAtMs: number; cutoffMs: number };

function windowOf({ row }: BankConnection, processDate: string): BatchWindow {
  const { time_zone, freeze_at, bank_cutoff } = row;
  return {
    processDate,
    freezesAtMs: instantOf(processDate, freeze_at, time_zone),
    cutoffMs: instantOf(processDate, bank_cutoff, time_zone),
  };
}

/** The window that is open: its batch is not frozen yet. */
export function openWindow(connection: BankConnection, nowMs: number): BatchWindow {
  const { calendar, row } = connection;
  const { processDate } = processDateFor({
    calendar,
    timeZone: row.time_zone,
    freezeAt: row.freeze_at,
    nowMs,
  });
  return windowOf(connection, processDate);
}

/** The window before: its time to freeze has come. Undefined once the bank takes no more files for that day. */
export function closedWindow(connection: BankConnection, nowMs: number): BatchWindow | undefined {
  const open = openWindow(connection, nowMs);
  const date = clearingDayBefore(connection.calendar, open.processDate);
  const closed = windowOf(connection, date);
  return closed.cutoffMs > nowMs ? closed : undefined;
}

/** `sendOn` is YYYY-MM-DD: not before that day. Empty: with the batch that is open. */
export function scheduleOf(
  connection: BankConnection,
  nowMs: number,
  sendOn: string,
): RailSchedule {
  const { time_zone } = connection.row;
  const fromMs = sendOn === "" ? nowMs : Math.max(nowMs, instantOf(sendOn, "00:00", time_zone));
  const { processDate, freezesAtMs } = openWindow(connection, fromMs);
  const { clearing, calendar } = connection;
  return {
    dueAtMs: freezesAtMs,
    processDate,
    expectedArrival: expectedArrival(clearing, calendar, processDate),
  };
}

/** When payouts that were sent for a day count as paid; undefined: when the bank confirms them. */
export function successAtMs(
  { row, calendar }: BankConnection,
  { processDate, sentAtMs }: { processDate: string; sentAtMs: number },
): number | undefined {
  if (row.success_when === "confirmed") return undefined;
  if (row.success_when === "sent") return sentAtMs;
  const lastDay = addBankingDays(calendar, processDate, row.success_days);
  return instantOf(lastDay, "23:59:59", row.time_zone) + 1000;
}

/** The entry of the rail directory. */
export function railEntryOf(connection: BankConnection): RailEntry {
  const { row } = connection;
  const amountMax = fileTotalMax(connection);
  const rail: Rail = {
    id: connection.rail,
    fee: feeRuleOf(row),
    rejectReason: ({ currency, accountCurrency, amount }) => {
      if (accountCurrency !== undefined && accountCurrency !== currency) return "currency-unfit";
      return amount > amountMax ? "over-bank-limit" : undefined;
    },
    schedule: (nowMs, sendOn) => scheduleOf(connection, nowMs, sendOn),
  };
  return {
    mode: row.mode,
    rail,
    currencies: [row.currency],
    countries: row.countries,
    ...(row.subaccount_ids && { subaccountIds: row.subaccount_ids }),
  };
}

export function fileTotalMax({ row, format }: BankConnection): bigint {
  const { total } = format.limits;
  const ours = row.file_total_max === null ? total : BigInt(row.file_total_max);
  return ours < total ? ours : total;
}

export function fileCountMax({ row, format }: BankConnection): number {
  return Math.min(row.file_count_max ?? format.limits.count, format.limits.count);
}
