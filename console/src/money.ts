// Money as people read it: from whole minor units, exactly. The server's table has the same decimals.

const decimalsByCurrency = new Map<string, number>([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    .split(" ")
    .map((code): [string, number] => [code, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code): [string, number] => [code, 3]),
  ["CLF", 4],
  ["UYW", 4],
]);

/** Not by Intl, which counts some currencies as shops do. */
export function decimalsOf(currency: string): number {
  return decimalsByCurrency.get(currency) ?? 2;
}

/** 123456 AUD is "1,234.56", without its code. */
export function amountText(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const part = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${amount < 0 ? "−" : ""}${whole}${part}`;
}

/** "1,234.56 AUD" */
export function moneyText(amount: number, currency: string): string {
  return `${amountText(amount, currency)} ${currency}`;
}

/** What a person typed, as minor units. Undefined: it isn't an amount of this currency. */
export function readMoney(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, whole = "", part = ""] = /^\s*([\d,]*\d)(?:\.(\d*))?\s*$/.exec(text) ?? [];
  if (whole === "" || part.length > decimals) return undefined;
  const amount = Number(whole.replaceAll(",", "") + part.padEnd(decimals, "0"));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
