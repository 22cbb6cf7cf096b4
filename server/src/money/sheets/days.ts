// Days as people write them. 03/04/2026 is April in one country and March in another: where the file does not say, it is refused.

import { type CellKind, dayOfSerial } from "../../platform/documents/index.ts";
import type { ReadValue } from "./amounts.ts";

export type DayOrder = "dmy" | "mdy" | "undecided";

const numbers = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

export function readDay(given: string, kind: CellKind, order: DayOrder): ReadValue {
  const text = given.trim();
  if (kind === "day" || /^\d{4}-\d\d-\d\d$/.test(text)) return { text };
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d.*)?$/.exec(text);
  if (iso) return { text: dayText(iso[1], iso[2], iso[3]) };
  const named = /^(\d{1,2})[ .-]+([A-Za-z]{3,9})[ .,-]+(\d{4})$/.exec(text);
  const month = named ? months.indexOf((named[2] ?? "").slice(0, 3).toLowerCase()) + 1 : 0;
  if (named && month > 0) return { text: dayText(named[3], String(month), named[1]) };
  const found = numbers.exec(text);
  if (found) return readNumbers(given, found, order);
  const serial = kind === "number" ? dayOfSerial(Number(text)) : undefined;
  return {
    message: `${given} is no date`,
    cure: "Write it as YYYY-MM-DD",
    ...(serial !== undefined && { suggestion: serial }),
  };
}

function readNumbers(given: string, found: RegExpExecArray, order: DayOrder): ReadValue {
  const [, first = "", mark, second = "", year = ""] = found;
  const told = mark === "." ? "dmy" : orderOf(first, second);
  const known = told === "undecided" ? order : told;
  if (known === "dmy") return { text: dayText(year, second, first) };
  if (known === "mdy") return { text: dayText(year, first, second) };
  if (Number(first) === Number(second)) return { text: dayText(year, first, second) };
  const ways = [dayText(year, second, first), dayText(year, first, second)];
  return { message: `${given} can be read in two ways`, cure: `Write ${ways.join(" or ")}` };
}

function dayText(year = "", month = "", day = ""): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function orderOf(first: string, second: string): DayOrder {
  if (Number(first) > 12) return "dmy";
  return Number(second) > 12 ? "mdy" : "undecided";
}

/** All days of a file are written in one order. */
export function guessOrder(days: Iterable<string>): DayOrder {
  const orders = new Set<DayOrder>();
  for (const day of days) {
    const [, first, mark, second] = numbers.exec(day.trim()) ?? [];
    if (first === undefined || second === undefined || mark === ".") continue;
    const order = orderOf(first, second);
    if (order !== "undecided") orders.add(order);
  }
  const [only] = orders;
  return orders.size === 1 && only ? only : "undecided";
}
