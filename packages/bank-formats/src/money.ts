// Money: whole minor units as bigint, and how many of them a unit of each currency has. No float, ever.

/** The largest integer that every JSON parser reads exactly. */
export const amountMax = 9_007_199_254_740_991n;

/** The number of decimals, by ISO 4217 code. */
const decimalsOf: ReadonlyMap<string, number> = new Map([
  ...currencies(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...currencies(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...currencies(4, "CLF UYW"),
  ...currencies(
    2,
    `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
     CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
     HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP
     MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD
     SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS
     VED VES WST XCD YER ZAR ZMW`,
  ),
]);

function currencies(decimals: number, codes: string): [string, number][] {
  return codes.split(/\s+/).map((code) => [code, decimals]);
}

export function isCurrency(code: string): boolean {
  return decimalsOf.has(code);
}

export function decimals(currency: string): number {
  const found = decimalsOf.get(currency);
  if (found === undefined) throw new RangeError("not a currency");
  return found;
}

export const currencyCodes: readonly string[] = [...decimalsOf.keys()].sort();

/** A sum for the console: a number, or its digits as a text where no number carries it exactly. */
export function toSum(amount: bigint): number | string {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount.toString();
}

/** For people: 1234567n AUD is "12,345.67 AUD". */
export function format(amount: bigint, currency: string): string {
  const [whole = "", ...part] = toDecimal(amount, currency).split(".");
  return `${[whole.replace(/\B(?=(\d{3})+$)/g, ","), ...part].join(".")} ${currency}`;
}

/** For programs: 1234567n AUD is "12345.67 AUD". */
export function formatPlain(amount: bigint, currency: string): string {
  return `${toDecimal(amount, currency)} ${currency}`;
}

/** For people, with separators: 1234567n JPY is "1,234,567 JPY". */
export function formatGrouped(amount: bigint, currency: string): string {
  const [whole = "", part] = toDecimal(amount, currency).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${part === undefined ? grouped : `${grouped}.${part}`} ${currency}`;
}

/** 12345n AUD is "123.45". */
export function toDecimal(amount: bigint, currency: string): string {
  const places = decimals(currency);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const part = places > 0 ? `.${digits.slice(-places)}` : "";
  return `${amount < 0n ? "-" : ""}${whole}${part}`;
}

/**
 * Parses an amount as users write it, "123.45" or "123", into minor units. Undefined if it is no amount of that
 * currency.
 */
export function parseDecimal(text: string, currency: string): bigint | undefined {
  const places = decimals(currency);
  const [, whole, part = ""] = /^(0|[1-9][0-9]{0,15})(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > places) return undefined;
  const amount = BigInt(whole + part.padEnd(places, "0"));
  return amount > 0n && amount <= amountMax ? amount : undefined;
}
