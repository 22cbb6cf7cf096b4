// Amounts in CSV statements. The mapping says which mark stands before the decimals: "1.234" is never guessed.

import { amountMax, decimals, toDecimal } from "../money.ts";
import type { CsvMapping } from "./mapping.ts";

export type AmountMarks = Pick<CsvMapping, "decimal" | "group">;

/** Minor units with a sign, or what is wrong with the text. */
export type CsvAmountResult = { minor: bigint } | { problem: string };

const digitsMax = 15;

/** Takes -1, 1-, (1), and 1 CR or 1 DR, and signs of currencies around the digits. */
export function readCsvAmount(
  text: string,
  { decimal, group }: AmountMarks,
  currency: string,
): CsvAmountResult {
  const { isNegative, digits } = withoutSign(withoutCurrency(text, currency));
  const plain = group === " " ? digits.replace(/[\s\u00a0\u2009\u202f]/g, " ") : digits;
  const apostrophes = group === "'" ? plain.replace(/[\u2019\u02bc`]/g, "'") : plain;
  const [, whole = "", part = ""] = patternOf(decimal, group).exec(apostrophes) ?? [];
  if (whole === "" && part === "")
    return { problem: `an amount such as ${example(decimal, group)}` };
  const places = decimals(currency);
  // Three decimals may be thousands in a file of another country, so even zeros are refused.
  const isTooExact = /[1-9]/.test(part.slice(places)) || part.length === 3;
  if (part.length > places && isTooExact) {
    return { problem: `an amount with at most ${places} decimals` };
  }
  const wholeDigits = whole.replace(/\D/g, "");
  if (wholeDigits.length > digitsMax) return { problem: `at most ${digitsMax} digits` };
  const minor = BigInt(`${wholeDigits}${part.slice(0, places).padEnd(places, "0")}`);
  if (minor > amountMax) {
    return { problem: `at most ${toDecimal(amountMax, currency)}` };
  }
  return { minor: isNegative ? -minor : minor };
}

function withoutCurrency(text: string, currency: string): string {
  return text
    .replace(/\p{Sc}/gu, "")
    .replace(new RegExp(`^${currency}\\b|\\b${currency}$`, "i"), "")
    .trim();
}

function withoutSign(text: string): { isNegative: boolean; digits: string } {
  const [, bracketed] = /^\((.*)\)$/.exec(text) ?? [];
  if (bracketed !== undefined) return { isNegative: true, digits: bracketed.trim() };
  const [, side, word] = /^(.*\d)\s*(CR|DR)\.?$/i.exec(text) ?? [];
  if (side !== undefined) {
    return { isNegative: word?.toUpperCase() === "DR", digits: side.trim() };
  }
  const [, before = "", digits = "", after = ""] =
    /^([-+\u2212\u2013]?)\s*(.*?)\s*([-+\u2212]?)$/.exec(text) ?? [];
  if (before !== "" && after !== "") return { isNegative: false, digits: text };
  return { isNegative: /[-\u2212\u2013]/.test(before + after), digits };
}

const patterns = new Map<string, RegExp>();

/** Thousands are grouped by three, and in India by two before the last three. */
function patternOf(decimal: string, group: string): RegExp {
  const key = `${decimal}${group}`;
  let found = patterns.get(key);
  if (!found) {
    const grouped = group === "" ? "" : `|\\d{1,3}(?:[${group}]\\d{2,3})*[${group}]\\d{3}`;
    found = new RegExp(`^(\\d+${grouped})?(?:[${decimal}](\\d*))?$`);
    patterns.set(key, found);
  }
  return found;
}

function example(decimal: string, group: string): string {
  return `1${group}234${decimal}56`;
}
