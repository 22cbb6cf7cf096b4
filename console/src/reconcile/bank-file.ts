// Matches a bank's statement with ours by reference, amount and date. Pure, and in the browser: the file is not sent
// anywhere.

import { readCsv } from "../state/csv.ts";
import { decimalsOf } from "../state/money.ts";
import { reconcileTexts } from "../texts/reconcile.ts";

/** Incoming amounts are positive, outgoing ones negative. */
export type Line = { dayMs: number; amount: number; text: string };

const dayMs = 86_400_000;
/** A bank books a payout on its value date, or a few days later. */
const daysApartMax = 3;

const columns = {
  date: /date|datum|booked|posted|value/i,
  amount: /^(transaction )?(amount|betrag|value|sum)\b/i,
  debit: /debit|withdrawal|paid out|money out/i,
  credit: /credit|deposit|paid in|money in/i,
  text: /reference|description|narrative|narration|details|particulars|memo|text|payee|purpose/i,
};

/** Undefined where the file does not have the columns of a statement. */
export function readBankFile(file: string, currency: string): Line[] | undefined {
  const [heads = [], ...rows] = readCsv(file);
  const find = (pattern: RegExp) => heads.findIndex((head) => pattern.test(head.trim()));
  const [date, amount] = [find(columns.date), find(columns.amount)];
  const [debit, credit] = [find(columns.debit), find(columns.credit)];
  const texts = heads.flatMap((head, place) => (columns.text.test(head) ? [place] : []));
  if (date < 0 || texts.length === 0 || (amount < 0 && debit < 0 && credit < 0)) return undefined;
  const money = (cell: string | undefined) => readAmount(cell ?? "", currency);
  return rows.flatMap((row) => {
    const day = readDay(row[date] ?? "");
    const moved =
      amount >= 0
        ? money(row[amount])
        : (money(row[credit]) ?? 0) - Math.abs(money(row[debit]) ?? 0);
    if (day === undefined || !moved) return [];
    return [{ dayMs: day, amount: moved, text: texts.map((place) => row[place] ?? "").join(" ") }];
  });
}

const signs: Record<string, number> = { fund: 1, return: 1, settle: -1, reversal: -1 };

/** The lines of our own statement that moved money at the bank. */
export function readOurStatement(csv: string): Line[] {
  const [heads = [], ...rows] = readCsv(csv);
  const place = (name: string) => heads.indexOf(name);
  const names = ["kind", "when", "amount", "currency", "reference"];
  const [kind, when, amount, currency, reference] = names.map(place);
  return rows.flatMap((row) => {
    const sign = signs[row[kind ?? 0] ?? ""];
    if (!sign) return [];
    const day = readDay(row[when ?? 0] ?? "");
    const moved = readAmount(row[amount ?? 0] ?? "", row[currency ?? 0] ?? "");
    const text = (row[reference ?? 0] ?? "").replace(/^'/, "");
    return day === undefined || moved === undefined
      ? []
      : [{ dayMs: day, amount: sign * moved, text }];
  });
}

/** "1,234.56", "1.234,56", "-80.00", "(80.00)", "80.00-": in minor units. */
export function readAmount(cell: string, currency: string): number | undefined {
  const text = cell.replace(/[\s\u00A0'A-Za-z$€£]/g, "");
  const isNegative = /^\(.*\)$|^[-−]|[-−]$/.test(text);
  const digits = text.replace(/[()+\-−]/g, "");
  const decimals = decimalsOf(currency);
  const point = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const isPoint = point >= 0 && digits.length - point - 1 === decimals;
  const whole = (isPoint ? digits.slice(0, point) : digits).replace(/[.,]/g, "");
  const part = isPoint ? digits.slice(point + 1) : "".padEnd(decimals, "0");
  if (!/^\d+$/.test(whole) || !/^\d*$/.test(part)) return undefined;
  const amount = Number(whole + part);
  return isNegative ? -amount : amount;
}

/** A date in ISO form, as day and month, or with the name of the month. In UTC. */
export function readDay(cell: string): number | undefined {
  const text = cell.trim();
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text) ?? [];
  if (year) return Date.UTC(Number(year), Number(month) - 1, Number(day));
  const [, dayFirst, second, last] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})/.exec(text) ?? [];
  if (dayFirst) return Date.UTC(Number(last), Number(second) - 1, Number(dayFirst));
  const named = Date.parse(reconcileTexts.utc(text));
  return Number.isNaN(named) ? undefined : Math.floor(named / dayMs) * dayMs;
}

export type Matched = { bank: (Line & { isMatched: boolean })[]; missing: Line[] };

/** Matches each line at most once. `missing`: lines of ours that the bank doesn't have. */
export function matchLines(bank: readonly Line[], ours: readonly Line[]): Matched {
  const open = new Map<number, Line[]>();
  for (const line of ours) open.set(line.amount, [...(open.get(line.amount) ?? []), line]);
  const matched = bank.map((line) => {
    const candidates = open.get(line.amount) ?? [];
    const text = plain(line.text);
    const found = candidates.find(
      (one) =>
        plain(one.text) !== "" &&
        text.includes(plain(one.text)) &&
        Math.abs(one.dayMs - line.dayMs) <= daysApartMax * dayMs,
    );
    if (found) open.set(line.amount, candidates.toSpliced(candidates.indexOf(found), 1));
    return { ...line, isMatched: found !== undefined };
  });
  return { bank: matched, missing: [...open.values()].flat().sort((a, b) => a.dayMs - b.dayMs) };
}

/** Banks change the case and punctuation of references, and split them. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
