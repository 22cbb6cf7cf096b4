// Amounts of ISO 20022: decimals with a currency beside them, and control sums across currencies.

import type { XmlElement } from "../documents/index.ts";
import { amountMax, decimals, isCurrency } from "../money.ts";
import { quoteField } from "../quoting.ts";
import type { FileProblems } from "../report.ts";

export type Amount = { minor: bigint; currency: string };

/** Control sums have up to 17 decimals, of currencies with different ones. */
const sumDecimals = 17;
const decimalText = /^\+?(?=\d|\.\d)(\d{0,18})(?:\.(\d{0,17}))?$/;

/** A decimal of ISO 20022 with all its digits, for comparing sums. */
export function readSum(text: string): bigint | undefined {
  const [match, whole = "", part = ""] = decimalText.exec(text) ?? [];
  return match === undefined ? undefined : BigInt(`${whole}${part.padEnd(sumDecimals, "0")}`);
}

export function toSumText(sum: bigint): string {
  const sign = sum < 0n ? "-" : "";
  const digits = (sum < 0n ? -sum : sum).toString().padStart(sumDecimals + 1, "0");
  const part = digits.slice(-sumDecimals).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}${digits.slice(0, -sumDecimals)}.${part}`;
}

/** Minor units as a decimal of the same size as `readSum` gives. */
export function toSumOf({ minor, currency }: Amount): bigint {
  return minor * 10n ** BigInt(sumDecimals - placesOf(currency));
}

/** Currencies that were given up had two decimals, nearly all. */
function placesOf(currency: string): number {
  return isCurrency(currency) ? decimals(currency) : 2;
}

/** What to do about zeros beyond the currency's decimals, and about currencies that are no longer in use. */
type AmountStrictness = "strict" | "tolerant";

/** An element such as `<Amt Ccy="EUR">12.34</Amt>`. Undefined where it is none, and then a problem says so. */
export function readAmountElement(
  element: XmlElement,
  strictness: AmountStrictness,
  problems: FileProblems,
): Amount | undefined {
  const { name, text, line, column } = element;
  const doubt = strictness === "strict" ? "error" : "warning";
  const currency = currencyOf(element, problems);
  if (currency === undefined) return undefined;
  if (!isCurrency(currency)) {
    problems[doubt](line, column, `expected a currency of ISO 4217 in ${name}, found ${currency}`);
  }
  const [match, whole = "", part = ""] = decimalText.exec(text) ?? [];
  if (match === undefined) {
    problems.error(
      line,
      column,
      `expected an amount such as 12.34 in ${name}, found ${quoteField(text)}`,
    );
    return undefined;
  }
  const places = placesOf(currency);
  const rest = part.slice(places);
  if (rest !== "") {
    const message = `expected at most ${places} decimals for ${currency} in ${name}, found ${part.length}`;
    if (/[1-9]/.test(rest)) problems.error(line, column, message);
    else problems[doubt](line, column, message);
  }
  const minor = BigInt(`${whole}${part.slice(0, places).padEnd(places, "0")}`);
  if (minor > amountMax) {
    const most = toSumText(toSumOf({ minor: amountMax, currency }));
    problems.error(line, column, `expected at most ${most} in ${name}, found ${quoteField(text)}`);
    return undefined;
  }
  return { minor, currency };
}

function currencyOf(element: XmlElement, problems: FileProblems): string | undefined {
  const { name, attributes, line, column } = element;
  const found = attributes.get("Ccy");
  if (found !== undefined && /^[A-Z]{3}$/.test(found)) return found;
  const [misspelt] = [...attributes].filter(([key]) => key.toLowerCase() === "ccy");
  const currency = misspelt?.[1].trim().toUpperCase() ?? "";
  if (!/^[A-Z]{3}$/.test(currency)) {
    problems.error(
      line,
      column,
      `expected a currency (Ccy) of three letters at ${name}, found none`,
    );
    return undefined;
  }
  problems.warning(
    line,
    column,
    `expected Ccy="${currency}" at ${name}, found it spelt another way`,
  );
  return currency;
}
