// Dates in CSV statements: in the order that the mapping says, with months as numbers or as names.

import { isDay } from "../file-dates.ts";

/** Months by their names, in the languages of banks that spell them out; without accents. */
const monthNames = [
  "jan january januar janvier enero ene januari gennaio gen janeiro",
  "feb february februar fevrier fevr fev febrero februari febbraio fevereiro",
  "mar march marz maerz mrz mars marzo maart mrt marco",
  "apr april avril avr abril abr aprile",
  "may mai mayo mei maggio mag maio",
  "jun june juni juin junio giugno giu junho",
  "jul july juli juillet juil julio luglio lug julho",
  "aug august aout aou agosto ago augustus",
  "sep sept september septembre septiembre settembre set setembro",
  "oct october oktober okt octobre octubre ottobre ott outubro out",
  "nov november novembre noviembre novembro",
  "dec december dezember dez decembre diciembre dic dicembre dezembro",
];

const monthsByName: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) =>
    names.split(" ").map((name) => [name, index + 1] as [string, number]),
  ),
);

const tokens = /YYYY|YY|MMM|MM|DD/g;
const formatText =
  /^(YYYY|YY|MMM|MM|DD)([-/., ]{0,2})(YYYY|YY|MMM|MM|DD)([-/., ]{0,2})(YYYY|YY|MMM|MM|DD)$/;
/** What may follow a date. */
const time = String.raw`(?:[T ,]\s*\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[.,]\d+)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?`;

/** Whether it has one year, one month and one day. */
export function isDateFormat(format: string): boolean {
  const parts = formatText.test(format) ? (format.match(tokens) ?? []) : [];
  return new Set(parts.map((part) => part[0])).size === 3;
}

const patterns = new Map<string, { pattern: RegExp; parts: string[] }>();

function patternOf(format: string): { pattern: RegExp; parts: string[] } {
  let found = patterns.get(format);
  if (!found) {
    const isSeparated = /[-/., ]/.test(format);
    const source = format
      .replace(/[-/., ]+/g, (text) => (/^ +$/.test(text) ? "\\s+" : escaped(text)))
      .replace(tokens, (token) => tokenPattern(token, isSeparated));
    found = { pattern: new RegExp(`^${source}${time}$`, "u"), parts: format.match(tokens) ?? [] };
    patterns.set(format, found);
  }
  return found;
}

/** A space in a format is any space, or none. */
function escaped(separator: string): string {
  return [...separator].map((mark) => (mark === " " ? "\\s*" : `[${mark}]`)).join("");
}

function tokenPattern(token: string, isSeparated: boolean): string {
  if (token === "YYYY") return "(\\d{4})";
  if (token === "YY") return "(\\d{2})";
  if (token === "MMM") return "(\\p{L}+)\\.?";
  return isSeparated ? "(\\d{1,2})" : "(\\d{2})";
}

/** YYYY-MM-DD; undefined where the text is no date of this format. Two digits of a year mean 2000 to 2099. */
export function readCsvDate(text: string, format: string): string | undefined {
  const { pattern, parts } = patternOf(format);
  const found = pattern.exec(text.trim());
  if (!found) return undefined;
  const values = new Map(parts.map((part, index) => [part, found[index + 1] ?? ""]));
  const year = values.get("YYYY") ?? `20${values.get("YY")}`;
  const month = values.get("MM") ?? String(monthNumber(values.get("MMM") ?? ""));
  const day = `${year}-${month.padStart(2, "0")}-${(values.get("DD") ?? "").padStart(2, "0")}`;
  return isDay(day) ? day : undefined;
}

function monthNumber(name: string): number {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return monthsByName.get(plain) ?? 0;
}
