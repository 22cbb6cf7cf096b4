// The figures that a rule compared, in words: "receiver: 6,200.00 AUD within a day, above 5,000.00 AUD". Pure.

import { decimals, formatGrouped } from "../../platform/base/index.ts";
import type { RuleFigures } from "./evaluate.ts";

const windowWords: Record<string, string> = {
  hour: "within an hour",
  day: "within a day",
  month: "within 30 days",
};

/** Empty: the rule compares no figures. */
export function figuresInWords(figures: RuleFigures, currency: string): string {
  const money = (value: string | number | undefined) => moneyWords(String(value), currency);
  const { of, window } = figures;
  const span = windowWords[String(window)] ?? "";
  if (figures.sum !== undefined) {
    return `${of}: ${money(figures.sum)} ${span}, above ${money(figures.above)}`;
  }
  if (figures.count !== undefined) {
    return `${of}: ${figures.count} payouts ${span}, above ${figures.above}`;
  }
  if (figures.median !== undefined) {
    return `${money(figures.amount)} is over ${figures.times} times the median ${money(figures.median)}`;
  }
  if (figures.changed_at_ms !== undefined) {
    const changed = new Date(Number(figures.changed_at_ms)).toISOString();
    return `bank details changed at ${changed}, within ${figures.within_hours} hours`;
  }
  if (figures.other_receivers !== undefined) {
    return `the same account at ${figures.other_receivers} other receivers`;
  }
  return Object.values(figures).map(String).join(", ").replaceAll("_", " ");
}

/** A median between two amounts has half a minor unit: "1050.5" is 10.505 AUD. */
function moneyWords(text: string, currency: string): string {
  const [, whole, half = ""] = /^(\d+)(?:\.(\d))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const [amount, code] = formatGrouped(BigInt(whole), currency).split(" ");
  const point = half !== "" && decimals(currency) === 0 ? "." : "";
  return `${amount}${point}${half} ${code}`;
}
