// Amounts as people write them. The mark before the decimals is told for the whole file: "1.234" alone is never guessed.

import { decimals, isCurrency } from "../../../../packages/bank-formats/src/money.ts";

/**
 * What stands before the decimals. `undecided`: the file does not say, so an amount that can be read in two ways is refused.
 * `plain`: a point, and no marks between thousands.
 */
export type DecimalMark = "." | "," | "undecided" | "plain";

export type ValueProblem = { message: string; cure: string; suggestion?: string };
/** As it is passed on, or what is wrong. */
export type ReadValue = { text: string } | ValueProblem;

const spaces = /[\s\u00a0\u2009\u202f]+/g;
/** 1.234 or 1,234: thousands in one country, decimals in another. */
const twoWays = /^[1-9]\d{0,2}[.,]\d{3}$/;

export function readAmountCell(given: string, mark: DecimalMark, currency: string): ReadValue {
  // Without a currency it is not known how many decimals there are, and the currency is the problem.
  if (mark === "plain" || !isCurrency(currency)) return { text: given };
  const stripped = withoutCurrency(given, currency);
  if (typeof stripped !== "string") return stripped;
  const text = stripped.replace(spaces, " ").replace(/[.,][-–—]+$/, "");
  if (mark === "undecided" && twoWays.test(text)) {
    return {
      message: `${given} can be read in two ways`,
      cure: "Say how this file writes decimals",
    };
  }
  const whole = numberIn(text, mark);
  if (whole === undefined) return wrongWay(given, text, mark);
  return withDecimals(whole, decimals(currency), given);
}

function numberIn(text: string, mark: DecimalMark): string | undefined {
  const ways = mark === "undecided" ? ([".", ","] as const) : ([mark] as const);
  for (const decimal of ways) {
    const group = decimal === "," ? "[.'’ ]" : "[,'’ ]";
    const pattern = new RegExp(
      `^(-?)(\\d+|\\d{1,3}(?:(${group})\\d{3})(?:\\3\\d{3})*|\\d{1,2}(?:,\\d{2})+,\\d{3})(?:[${decimal}](\\d+))?$`,
    );
    const found = pattern.exec(text);
    if (!found) continue;
    const [, sign = "", whole = "", , part = ""] = found;
    // Thousands of India are grouped by commas, which are decimals elsewhere.
    if (decimal === "," && whole.includes(",")) continue;
    return `${sign}${whole.replace(/\D/g, "")}${part === "" ? "" : `.${part}`}`;
  }
  return undefined;
}

function wrongWay(given: string, text: string, mark: DecimalMark): ValueProblem {
  const other = mark === "," ? "." : ",";
  const read = mark === "undecided" ? undefined : numberIn(text, other);
  const sample = mark === "," ? "1.234,56" : "1,234.56";
  if (read === undefined) {
    return { message: `${given} is no amount`, cure: "Write digits, for example 1234.56" };
  }
  return {
    message: `${given} is not written like ${sample}`,
    cure: "Write it like the other amounts, or say how this file writes decimals",
  };
}

/** Zeros that a spreadsheet adds are left out; three decimals may be thousands. */
function withDecimals(text: string, places: number, given: string): ReadValue {
  const [whole = "", part = ""] = text.split(".");
  if (part.length <= places) return { text };
  if (part.length !== 3 && !/[1-9]/.test(part.slice(places))) {
    return { text: places === 0 ? whole : `${whole}.${part.slice(0, places)}` };
  }
  const rounded = Number(text) < 1e12 ? Number(text).toFixed(places) : undefined;
  return {
    message: `${given} has more than ${places} decimals`,
    cure: `Write an amount with at most ${places} decimals`,
    ...(rounded !== undefined && { suggestion: rounded }),
  };
}

const signs: Readonly<Record<string, RegExp>> = {
  "€": /^EUR$/,
  "£": /^(GBP|EGP|GIP|FKP|SHP|LBP)$/,
  "¥": /^(JPY|CNY)$/,
  "₹": /^INR$/,
  $: /(D|^MXN|^CLP|^COP|^ARS|^UYU)$/,
};

/** An amount may carry its currency, if that is the currency of the row. */
function withoutCurrency(given: string, currency: string): string | ValueProblem {
  const [, before, digits = given.trim(), after] =
    /^([A-Z]{1,3}\$|[A-Z]{3}|\p{Sc})?\s*([-\d].*?)\s*([A-Z]{3}|\p{Sc})?$/u.exec(given.trim()) ?? [];
  for (const said of [before, after]) {
    if (said === undefined || said === currency) continue;
    const pattern = signs[said.slice(-1)];
    if (!pattern?.test(currency)) {
      return {
        message: `${given} says ${said}, and the currency is ${currency || "empty"}`,
        cure: "Correct the currency, or write the amount without it",
      };
    }
  }
  return digits;
}

/** What the amounts of a file say about its decimals. */
export type DecimalGuess = { mark: "." | "," | "undecided"; example: string };

export function guessDecimals(amounts: Iterable<string>): DecimalGuess {
  const found = new Map<"." | "," | "both", string>();
  for (const given of amounts) {
    const text = given.replace(/[^\d.,]/g, "").replace(/[.,]$/, "");
    const evidence = markIn(text);
    if (evidence && !found.has(evidence)) found.set(evidence, given.trim());
  }
  const [point, comma, both] = [found.get("."), found.get(","), found.get("both")];
  if (point !== undefined && comma === undefined) return { mark: ".", example: point };
  if (comma !== undefined && point === undefined) return { mark: ",", example: comma };
  const isOpen = point !== undefined || both !== undefined;
  return { mark: isOpen ? "undecided" : ".", example: both ?? point ?? "" };
}

/** The mark before the decimals of one amount; `both` if it may be either. */
function markIn(text: string): "." | "," | "both" | undefined {
  const points = text.split(".").length - 1;
  const commas = text.split(",").length - 1;
  if (points === 0 && commas === 0) return undefined;
  if (points > 0 && commas > 0) return text.lastIndexOf(".") > text.lastIndexOf(",") ? "." : ",";
  const mark = points > 0 ? "." : ",";
  if (points + commas > 1) return mark === "." ? "," : ".";
  return twoWays.test(text) ? "both" : mark;
}
