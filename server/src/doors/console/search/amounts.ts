// Reads an amount that a user searches for: "1,250.00", "1250 AUD", "1.250,5". Pure.

import { isCurrency } from "../../../platform/base/index.ts";

export type SearchedAmount = {
  /** As they are written in units of currencies with 0, 2, 3 and 4 decimals. */
  amounts: string[];
  currency: string | undefined;
};

/** Undefined: the text is no amount. A comma or a point that may be either is read as both. */
export function readSearchedAmount(text: string): SearchedAmount | undefined {
  const [, before, digits = "", after] =
    /^([A-Za-z]{3}|\p{Sc})?\s*(\d[\d.,'’\s]*)\s*([A-Za-z]{3}|\p{Sc})?$/u.exec(text.trim()) ?? [];
  const code = [before, after].find((part) => part && /^[A-Za-z]{3}$/.test(part))?.toUpperCase();
  if (code !== undefined && !isCurrency(code)) return undefined;
  const number = digits.trim();
  const values = [readWith(number, "."), readWith(number, ",")].filter((one) => one !== undefined);
  const amounts = [...new Set(values.flatMap(({ whole, part }) => writtenForms(whole, part)))];
  return amounts.length === 0 ? undefined : { amounts, currency: code };
}

const forms = {
  ".": /^(\d{1,16}|\d{1,3}(?:[,'’\s]\d{2,3})*[,'’\s]\d{3})(?:\.(\d{1,4}))?$/u,
  ",": /^(\d{1,16}|\d{1,3}(?:[.'’\s]\d{2,3})*[.'’\s]\d{3})(?:,(\d{1,4}))?$/u,
};

/** The number with this decimal separator, or undefined where it can't be one. */
function readWith(text: string, decimal: "." | ","): { whole: string; part: string } | undefined {
  const [, whole, part = ""] = forms[decimal].exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    whole: whole.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, ""),
    part: part.replace(/0+$/, ""),
  };
}

function writtenForms(whole: string, part: string): string[] {
  return [0, 2, 3, 4]
    .filter((places) => part.length <= places)
    .map((places) => (places === 0 ? whole : `${whole}.${part.padEnd(places, "0")}`));
}
