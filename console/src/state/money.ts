// Formats and parses money, exactly, in minor units, with the digits and separators of the user's language. The
// server's table has the same decimals.

import { userLocale } from "./locale.ts";

const separators = {
  point: { one: "a point", many: "points" },
  comma: { one: "a comma", many: "commas" },
  space: { one: "a space", many: "spaces" },
  apostrophe: { one: "an apostrophe", many: "apostrophes" },
} as const;

const decimalsByCurrency = new Map<string, number>([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    .split(" ")
    .map((code): [string, number] => [code, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code): [string, number] => [code, 3]),
  ["CLF", 4],
  ["UYW", 4],
]);

/** Offered where a currency is typed. */
export const usualCurrencies = [
  "AUD",
  "NZD",
  "USD",
  "EUR",
  "GBP",
  "CAD",
  "SGD",
  "JPY",
  "INR",
  "PHP",
];

/** Not by Intl, which has other decimals for some currencies. */
export function decimalsOf(currency: string): number {
  return decimalsByCurrency.get(currency) ?? 2;
}

/** Minor units: a number, or the digits of a sum that no number carries exactly. */
export type Sum = number | string;

/** How a language writes amounts. Its separators for amounts may differ from those for other numbers. */
type AmountForm = {
  format: Intl.NumberFormat;
  decimal: string;
  /** Between thousands. */
  group: string;
  /** The size of the groups before the last one: three, or two as in India. */
  groupSize: number;
  /** The ten digits, from zero. */
  digits: string;
};

const forms = new Map<string, AmountForm>();
const digitParts: ReadonlySet<string> = new Set(["integer", "group", "decimal", "fraction"]);

function formOf(locale: string, decimals: number): AmountForm {
  const key = `${locale} ${decimals}`;
  const known = forms.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    // Only for its separators: the code is shown beside the amount.
    currency: "EUR",
    currencyDisplay: "code",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const sample = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" });
  const parts = sample.formatToParts(12_345_678.5);
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  const digits = new Intl.NumberFormat(locale, { useGrouping: false });
  const form = {
    format,
    decimal: partOf("decimal") ?? ".",
    group: partOf("group") ?? ",",
    groupSize: parts.filter(({ type }) => type === "integer").at(-2)?.value.length ?? 3,
    digits: digits.format(9_876_543_210n).split("").toReversed().join(""),
  };
  forms.set(key, form);
  return form;
}

/** 123456 AUD is "1,234.56", without its code. */
export function amountText(amount: Sum, currency: string, locale = userLocale): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount)
    .replace("-", "")
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  // As text, because a sum may be larger than a number carries.
  const exact = decimals > 0 ? `${whole}.${digits.slice(-decimals)}` : whole;
  const text = formOf(locale, decimals)
    .format.formatToParts(exact as `${number}`)
    .filter(({ type }) => digitParts.has(type))
    .map(({ value }) => value)
    .join("");
  return `${String(amount).startsWith("-") ? "−" : ""}${text}`;
}

/** "1,234.56 AUD" */
export function moneyText(amount: Sum, currency: string, locale = userLocale): string {
  return `${amountText(amount, currency, locale)} ${currency}`;
}

/**
 * A typed amount in minor units: 1250, 1250.5 or 1,250.00, or as the user's language writes them. Undefined where it is
 * ambiguous: a separator of thousands counts only between thousands, so in English 12,50 is refused instead of read
 * as 1250.
 */
export function readMoney(text: string, currency: string, locale = userLocale): number | undefined {
  const decimals = decimalsOf(currency);
  const typed = halfWidth(text.trim());
  const form = typedForm(typed, locale);
  const latin = typed.replace(/\p{Nd}/gu, (digit) => {
    const value = form.digits.indexOf(digit);
    return value === -1 ? "x" : String(value);
  });
  const [, whole, part = ""] = amountPattern(form).exec(latin) ?? [];
  if (whole === undefined || part.length > decimals) return undefined;
  const units = whole.replace(/\D/g, "");
  // In a currency with three or more decimals, 1,250 may mean 1.250.
  if (decimals >= 3 && part === "" && whole.length === units.length + 1) return undefined;
  const amount = Number(units + part.padEnd(decimals, "0"));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Digits 0 to 9 come with the separators of English where the user's language has digits of its own. */
function typedForm(typed: string, locale: string): AmountForm {
  const form = formOf(locale, 2);
  const isLatin = !form.digits.includes("0") && !/[^\P{Nd}0-9]/u.test(typed);
  return isLatin ? formOf("en", 2) : form;
}

const spaces = /[\s\u00a0\u202f]/;
const apostrophes = /['’]/;

/** Whole units, also in groups, and decimals. */
function amountPattern({ group, groupSize, decimal }: AmountForm): RegExp {
  const separator = spaces.test(group)
    ? "[ \\u00a0\\u2009\\u202f]"
    : apostrophes.test(group)
      ? "['’]"
      : escaped(group);
  const first = `[1-9]\\d{0,${groupSize - 1}}`;
  const grouped = `${first}(?:${separator}\\d{${groupSize}})*${separator}\\d{3}`;
  return new RegExp(`^(0|[1-9]\\d*|${grouped})(?:${escaped(decimal)}(\\d+))?$`);
}

/** Japanese keyboards also write digits and signs in full width. */
function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** An amount as an example in an empty field. */
export function amountExample(currency: string | null, locale = userLocale): string {
  const decimals = currency === null ? 2 : decimalsOf(currency);
  return plainAmount(decimals > 0 ? "12.5" : "1250", decimals, locale);
}

/** The error of a field that readMoney refused. */
export function moneyHint(currency: string, locale = userLocale): string {
  const decimals = decimalsOf(currency);
  const { group, decimal } = formOf(locale, decimals);
  const examples = [
    plainAmount("1250", decimals, locale),
    amountText(1250 * 10 ** decimals, currency, locale),
  ];
  const example = `Enter an amount like ${[...new Set(examples)].join(" or ")}`;
  const rest = `${nameOf(group, "many")} only between thousands`;
  const middle =
    decimals > 0
      ? `${nameOf(decimal, "one")} before the decimals (at most ${decimals})`
      : `${currency} has no decimals`;
  return `${example}: ${middle}, ${rest}`;
}

function plainAmount(exact: string, decimals: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
    .formatToParts(exact as `${number}`)
    .filter(({ type }) => digitParts.has(type))
    .map(({ value }) => value)
    .join("");
}

function nameOf(separator: string, count: "one" | "many"): string {
  if (spaces.test(separator)) return separators.space[count];
  if (apostrophes.test(separator)) return separators.apostrophe[count];
  if (separator === ".") return separators.point[count];
  return separator === "," ? separators.comma[count] : `“${separator}”`;
}
