// Amounts as the bank reads and writes them: whole minor units. The table is the bank's own, so that a wrong number of decimals in
// the files it gets is found.

/** How many decimals, where it is not two or Node does not know the currency. */
const unusualDecimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2: "VED",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
const currencies = new Set([
  ...Intl.supportedValuesOf("currency"),
  ...Object.values(unusualDecimals).flatMap((codes) => codes.split(" ")),
]);

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

export function decimals(currency: string): number {
  if (!isCurrency(currency)) throw new RangeError("not a currency");
  const found = Object.entries(unusualDecimals).find(([, codes]) => codes.includes(currency));
  return Number(found?.[0] ?? 2);
}

/** 12345n AUD is "123.45". */
export function toDecimal(amount: bigint, currency: string): string {
  const places = decimals(currency);
  const digits = String(amount < 0n ? -amount : amount).padStart(places + 1, "0");
  const part = places > 0 ? `.${digits.slice(-places)}` : "";
  return `${amount < 0n ? "-" : ""}${digits.slice(0, digits.length - places)}${part}`;
}

/** "123.45" or "123". Undefined if it is no amount above zero of that currency. */
export function parseDecimal(text: string, currency: string): bigint | undefined {
  const [, whole, part = ""] = /^(0|[1-9]\d{0,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > decimals(currency)) return undefined;
  const amount = BigInt(whole + part.padEnd(decimals(currency), "0"));
  return amount > 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER) ? amount : undefined;
}
