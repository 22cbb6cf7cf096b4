// Formats and parses money, exactly, in minor units. The server's table has the same decimals.

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

/** 123456 AUD is "1,234.56", without its code. */
export function amountText(amount: Sum, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount)
    .replace("-", "")
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const part = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${String(amount).startsWith("-") ? "−" : ""}${whole}${part}`;
}

/** "1,234.56 AUD" */
export function moneyText(amount: Sum, currency: string): string {
  return `${amountText(amount, currency)} ${currency}`;
}

/**
 * A typed amount in minor units: 1250, 1250.5 or 1,250.00. Undefined where it is ambiguous: a comma counts only
 * between thousands, so 12,50 is refused instead of read as 1250.
 */
export function readMoney(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, whole, part = ""] =
    /^(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || part.length > decimals) return undefined;
  // In a currency with three decimals, 1,250 may mean 1.250.
  if (decimals === 3 && part === "" && /^\d+,\d+$/.test(whole)) return undefined;
  const amount = Number(whole.replaceAll(",", "") + part.padEnd(decimals, "0"));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** The error of a field that readMoney refused. */
export function moneyHint(currency: string): string {
  const decimals = decimalsOf(currency);
  const part = decimals > 0 ? `.${"0".repeat(decimals)}` : "";
  const example = `Enter an amount like 1250${part} or 1,250${part}`;
  return decimals > 0
    ? `${example}: a point before the decimals (at most ${decimals}), commas only between thousands`
    : `${example}: ${currency} has no decimals, commas only between thousands`;
}
