// Amounts in BAI2 records: each has a type code, and a funds type that says when the money is available.

import { readFileDate } from "../file-dates.ts";
import type { Sums } from "../report.ts";
import type { Bai2Field, FieldCursor } from "./field-cursor.ts";

/** What a type code does to the account. 920 to 999 are a bank's own. Others are balances, loans or texts. */
export function bai2Direction(typeCode: string): keyof Sums | undefined {
  if (/^[123]\d\d$|^9[2-5]\d$/.test(typeCode)) return "credit";
  return /^[456]\d\d$|^9[6-9]\d$/.test(typeCode) ? "debit" : undefined;
}

export function readTypeCode(cursor: FieldCursor): string {
  const field = cursor.next();
  if (!/^\d{3}$/.test(field.text)) cursor.report("error", field, "type code", "3 digits");
  return field.text;
}

/**
 * Reads the funds type and what it brings: S three amounts, V a date and a time, D days with their amounts. The value
 * date as YYYY-MM-DD, or empty.
 */
export function readFunds(
  cursor: FieldCursor,
  amount: { field: Bai2Field; value: bigint },
): string {
  const field = cursor.next();
  switch (field.text.toUpperCase()) {
    case "S":
      compareSplit(cursor, amount, readAmounts(cursor, 3));
      return "";
    case "V":
      return readValueDate(cursor);
    case "D":
      readDistribution(cursor, amount);
      return "";
    case "":
    case "0":
    case "1":
    case "2":
    case "Z":
      return "";
    default:
      cursor.report("error", field, "funds type", "0, 1, 2, S, V, D, Z or empty");
      return "";
  }
}

function readAmounts(cursor: FieldCursor, count: number): bigint {
  let sum = 0n;
  for (let place = 0; place < count; place += 1) sum += cursor.amount("available amount").value;
  return sum;
}

function compareSplit(
  cursor: FieldCursor,
  { field, value }: { field: Bai2Field; value: bigint },
  sum: bigint,
): void {
  if (sum === value) return;
  cursor.report("warning", field, "amount", `the sum of its available parts, ${sum}`, `${value}`);
}

function readValueDate(cursor: FieldCursor): string {
  const date = cursor.next();
  if (!isBai2Date(date.text)) cursor.report("warning", date, "value date", "a date as YYMMDD");
  const time = cursor.next();
  if (!isBai2Time(time.text)) cursor.report("warning", time, "value time", "a time as HHMM");
  return toBai2Date(date.text);
}

function readDistribution(cursor: FieldCursor, amount: { field: Bai2Field; value: bigint }): void {
  const { value = 0n } = cursor.count("number of distributions");
  let sum = 0n;
  // A number without its fields must not keep us busy.
  for (let place = 0n; place < value && !cursor.isAtEnd; place += 1n) {
    cursor.count("number of days");
    sum += cursor.amount("available amount").value;
  }
  compareSplit(cursor, amount, sum);
}

export function isBai2Date(text: string): boolean {
  return toBai2Date(text) !== "";
}

/** YYYY-MM-DD; empty where the text is no date. */
export function toBai2Date(text: string): string {
  return readFileDate(text, "YYMMDD") ?? readFileDate(text, "YYYYMMDD") ?? "";
}

/** Empty, a time of the day, or one of its ends: 2400 and 9999. */
export function isBai2Time(text: string): boolean {
  return /^$|^([01]\d|2[0-3])[0-5]\d$|^2400$|^9999$/.test(text);
}
