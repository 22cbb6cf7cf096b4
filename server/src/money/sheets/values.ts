// A cell as the value of a field: what people and spreadsheets add to a value is taken off, and nothing else.

import { readCountry } from "../../people/list-files/index.ts";
import { type CellKind, withoutFormulaGuard } from "../../platform/documents/index.ts";
import { type DecimalMark, type ReadValue, readAmountCell } from "./amounts.ts";
import type { FieldKind } from "./columns.ts";
import { type DayOrder, readDay } from "./days.ts";

/** An email or an id is shorter, and so is every amount. */
const valueCharsMax = 1_000;

export type Reading = { decimal: DecimalMark; order: DayOrder };

export type GivenCell = { text: string; kind: CellKind };

/** Characters without width, which come along when a text is copied. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g;
/** Of a text without it there is nothing to take off. */
const unusual = /[^ !#-~]/;
/** Quotes around the whole text, which a spreadsheet did not take off. */
const quoted = /^[“”„«"]([^“”„«»"]*)[“”»"]$/;

export function readCell(
  { text, kind }: GivenCell,
  field: FieldKind,
  { decimal, order }: Reading,
  currency: string,
): ReadValue {
  const given = withoutFormulaGuard(text.trim());
  if (given === "") return { text: "" };
  const isUsual = !unusual.test(given);
  if (field === "text") return { text: isUsual ? given : withoutQuotes(given) };
  if (given.length > valueCharsMax) {
    return { message: "The cell has too many characters", cure: "Write the value alone" };
  }
  const clean = isUsual ? given : withoutQuotes(given.replace(invisible, ""));
  if (field === "amount") {
    // The cell itself says where its decimals are.
    const mark = kind === "number" && decimal !== "plain" ? "." : decimal;
    const read = readAmountCell(clean, mark, currency);
    const offered = "suggestion" in read && decimal === "," ? read.suggestion : undefined;
    // It is read again as the file writes amounts.
    return offered === undefined
      ? read
      : ({ ...read, suggestion: offered.replace(".", ",") } as ReadValue);
  }
  if (field === "day") return readDay(clean, kind, order);
  if (field === "country") return readCountryCell(clean);
  if (field === "number") return readNumber(clean);
  if (field === "flag") return { text: flags[clean.toLowerCase()] ?? clean };
  return { text: clean };
}

function withoutQuotes(text: string): string {
  return quoted.exec(text)?.[1]?.trim() ?? text.trim();
}

function readCountryCell(text: string): ReadValue {
  const read = readCountry(text);
  if ("code" in read) return { text: read.code };
  const { nearest } = read;
  const how = "Write its name in English or its code of three letters";
  return {
    message: `${text} is no country that we know`,
    cure: nearest === undefined ? how : `${how}. The nearest is ${nearest}`,
    ...(nearest !== undefined && { suggestion: nearest }),
  };
}

const flags: Readonly<Record<string, string>> = {
  yes: "true",
  y: "true",
  ja: "true",
  oui: "true",
  si: "true",
  wahr: "true",
  vrai: "true",
  no: "false",
  n: "false",
  nein: "false",
  non: "false",
  falsch: "false",
  faux: "false",
};

/** A number of an account: all of its digits count. */
function readNumber(text: string): ReadValue {
  if (!/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) return { text };
  return {
    message: `${text} is shortened: digits are lost`,
    cure: "Format the column as text, and type the whole number again",
  };
}
