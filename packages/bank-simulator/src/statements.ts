// The statements of the customer's accounts: one for each day with bookings. Each opens with what the one before closed
// with, and every booking is in exactly one.

import { writeBai2Statement } from "./bai2-statement.ts";
import {
  amountIn,
  type Booking,
  type BookingRules,
  bookingsOf,
  changeOf,
  depositBooking,
  usualBooking,
} from "./bookings.ts";
import { type CamtAccount, type CamtVersion, writeCamtStatement } from "./camt-message.ts";
import { writeCsvStatement } from "./csv-statement.ts";
import type { DecidedFile } from "./decision.ts";
import type { BankDeposit } from "./deposit-file.ts";
import { type BankAnswer, delays, timesOf } from "./schedule.ts";

/** By the format of statements; the version of camt.053 where it is one. */
const formats = {
  "camt.053": "08",
  "camt.053.001.02": "02",
  "camt.053.001.04": "04",
  "camt.053.001.08": "08",
  bai2: undefined,
  csv: undefined,
} as const satisfies Record<string, CamtVersion | undefined>;

export type StatementFormat = keyof typeof formats;
export const statementFormats = Object.keys(formats) as StatementFormat[];

export type SimulatedStatements = Partial<BookingRules> & {
  /** How much faster than a real bank. */
  speed: number;
  /** Undefined: the bank sends none. */
  statements: StatementFormat | undefined;
  /** What each account has before its first booking, such as "1000000.00". */
  openingBalance?: string;
};

const usualOpening = "1000000";

/** A statement that was written, with all that the next one has to know. */
export type WrittenStatement = {
  name: string;
  account: string;
  currency: string;
  sequence: number;
  day: string;
  closing: string;
  /** The keys of its bookings. */
  keys: string[];
};

export type AccountStatement = BankAnswer & { facts: WrittenStatement };

/** What the customer's accounts are moved by. */
export type AccountMovements = {
  files: readonly DecidedFile[];
  deposits: readonly BankDeposit[];
};

type OwnAccount = { account: CamtAccount; bookings: Booking[] };

/** The account of a deposit that names none; undefined where no file names one in its currency yet. */
function accountOf(
  { account, currency }: BankDeposit,
  accounts: ReadonlyMap<string, OwnAccount>,
): CamtAccount | undefined {
  if (account !== "") return { bank: "", account, currency };
  return [...accounts.values()].find((one) => one.account.currency === currency)?.account;
}

function accountsOf(
  { files, deposits }: AccountMovements,
  options: SimulatedStatements,
): OwnAccount[] {
  const accounts = new Map<string, OwnAccount>();
  const book = (account: CamtAccount, bookings: Booking[]) => {
    const key = `${account.account}/${account.currency}`;
    const found = accounts.get(key) ?? { account, bookings: [] };
    accounts.set(key, found);
    found.bookings.push(...bookings);
  };
  const rules = { ...usualBooking, ...options };
  for (const decided of files) {
    const { payer, currency } = decided.file;
    const bookings = bookingsOf(decided, timesOf(decided, options.speed), rules);
    if (bookings.length > 0) book({ ...payer, currency }, bookings);
  }
  // Those that name their account come first, so that the others find it.
  for (const deposit of deposits.toSorted((one) => (one.account === "" ? 1 : -1))) {
    const account = accountOf(deposit, accounts);
    if (account) book(account, [depositBooking(deposit)]);
  }
  return [...accounts.values()];
}

/**
 * The statements that follow on those in `written`. A booking that came after the statement of its day is on the next
 * one, which is of the same day or a later one.
 */
export function accountStatements(
  moved: AccountMovements,
  options: SimulatedStatements,
  written: readonly WrittenStatement[] = [],
): AccountStatement[] {
  const { statements: format, openingBalance = usualOpening, speed } = options;
  if (!format) return [];
  const dayMs = delays.statementDay / speed;
  const endOf = (atMs: number) => (Math.floor(atMs / dayMs) + 1) * dayMs;
  return accountsOf(moved, options).flatMap(({ account, bookings }) => {
    const before = written.filter(
      (one) => one.account === account.account && one.currency === account.currency,
    );
    const known = new Set(before.flatMap(({ keys }) => keys));
    const last = before.at(-1);
    let sequence = last?.sequence ?? 0;
    let closing = last ? BigInt(last.closing) : (amountIn(openingBalance, account.currency) ?? 0n);
    const fresh = bookings
      .filter(({ key }) => !known.has(key))
      .map((one) => (last && one.date < last.day ? { ...one, date: last.day } : one))
      .sort((one, other) => compare(one.date, other.date) || one.atMs - other.atMs);
    let dueMs = 0;
    // With a shortened day, several of the bank's days have the same date.
    const days = Map.groupBy(fresh, ({ date, atMs }) => `${date} ${endOf(atMs)}`);
    return [...days.values()].map((ofDay) => {
      const [{ date: day }] = ofDay as [Booking, ...Booking[]];
      const opening = closing;
      closing += ofDay.reduce((sum, one) => sum + changeOf(one), 0n);
      sequence += 1;
      const ending = account.account.slice(-3) || "000";
      const id = `STMT-${account.currency}-${ending}-${String(sequence).padStart(4, "0")}`;
      // They are sent in their order.
      dueMs = ofDay.reduce((latest, { atMs }) => Math.max(latest, endOf(atMs)), dueMs);
      const facts = { sequence, day, opening, closing };
      const name = `${id.toLowerCase()}${endings[format] ?? ".xml"}`;
      const message = { id, atMs: dueMs, account };
      return {
        name,
        dueMs,
        write: () => writeStatement(format, message, facts, ofDay),
        facts: {
          name,
          account: account.account,
          currency: account.currency,
          sequence,
          day,
          closing: String(closing),
          keys: [...new Set(ofDay.map(({ key }) => key))],
        },
      };
    });
  });
}

const endings: Partial<Record<StatementFormat, string>> = { bai2: ".bai", csv: ".csv" };

function writeStatement(
  format: StatementFormat,
  message: { id: string; atMs: number; account: CamtAccount },
  facts: Parameters<typeof writeCamtStatement>[1],
  bookings: readonly Booking[],
): string {
  const { account, atMs } = message;
  if (format === "csv") return writeCsvStatement(account, facts, bookings);
  if (format === "bai2") return writeBai2Statement(account, { ...facts, atMs }, bookings);
  return writeCamtStatement({ ...message, version: formats[format] }, facts, bookings);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
