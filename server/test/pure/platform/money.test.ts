// Money: amounts are whole minor units, and are read exactly or refused.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  currencyCodes,
  decimals,
  format,
  formatPlain,
  isCurrency,
  parseDecimal,
  readAmount,
} from "../../../src/platform/base/money.ts";

describe("an amount on the wire", () => {
  test.each([
    [1, 1n],
    [12_500, 12_500n],
    ["12500", 12_500n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    ["9007199254740991", 9_007_199_254_740_991n],
  ])("%j is read exactly", (value, amount) => {
    expect(readAmount(value)).toBe(amount);
  });

  test.each([
    ...[0, -0, -1, 1.5, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY],
    ...["", "0", "-1", "+1", "1e3", "10.5", "10,5", "0x10", "007", " 1", "1 ", "1_000", "٣", "１"],
    ...["9007199254740992", "99999999999999999999", "NaN", null, undefined, true, [], {}, [1]],
  ])("%j is refused", (value) => {
    expect(readAmount(value)).toBeUndefined();
  });
});

describe("currencies", () => {
  test("have at least as many decimals as the platform shows", () => {
    let compared = 0;
    for (const code of currencyCodes) {
      const known = new Intl.NumberFormat("en", { style: "currency", currency: code });
      const places = known.resolvedOptions().maximumFractionDigits;
      // For these the platform shows fewer decimals than ISO 4217 has.
      const shownShorter = places !== decimals(code);
      if (shownShorter) expect(places).toBeLessThan(decimals(code));
      else compared += 1;
    }
    expect(compared).toBeGreaterThan(120);
    for (const code of ["AUD", "NZD", "EUR", "USD", "GBP", "INR", "CAD"])
      expect(decimals(code)).toBe(2);
    for (const code of ["JPY", "KRW", "ISK"]) expect(decimals(code)).toBe(0);
    for (const code of ["KWD", "BHD"]) expect(decimals(code)).toBe(3);
  });

  test.each(["aud", "AU", "AUDX", "XXX", "", "BTC"])("do not include %j", (code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe("amounts in units of the currency", () => {
  test.each([
    ["12.50", "AUD", 1_250n],
    ["12", "AUD", 1_200n],
    ["0.01", "AUD", 1n],
    ["1000", "JPY", 1_000n],
    ["1.234", "KWD", 1_234n],
  ])("%s %s", (text, currency, amount) => {
    expect(parseDecimal(text, currency)).toBe(amount);
  });

  test.each([
    ["12.505", "AUD"],
    ["1.0", "JPY"],
    ["0", "AUD"],
    ["0.00", "AUD"],
    ["-1", "AUD"],
    ["1e3", "AUD"],
    ["01", "AUD"],
    ["1,000.00", "AUD"],
    [".5", "AUD"],
    ["5.", "AUD"],
    ["٣", "AUD"],
    ["99999999999999999", "AUD"],
  ])("%s %s is refused", (text, currency) => {
    expect(parseDecimal(text, currency)).toBeUndefined();
  });

  test.each([
    [0n, "AUD", "0.00 AUD"],
    [99_999n, "AUD", "999.99 AUD"],
    [100_000n, "AUD", "1,000.00 AUD"],
    [-123_456_789n, "AUD", "-1,234,567.89 AUD"],
    [1_234_567n, "JPY", "1,234,567 JPY"],
    [1_234_567n, "BHD", "1,234.567 BHD"],
  ])("%s %s is shown as %s", (amount, currency, text) => {
    expect(format(amount, currency)).toBe(text);
    expect(formatPlain(amount, currency)).toBe(text.replaceAll(",", ""));
  });

  test("every formatted amount reads back as the same amount, in every currency", () => {
    const amount = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n });
    fc.assert(
      fc.property(amount, fc.constantFrom(...currencyCodes), (minor, currency) => {
        const [text, code] = formatPlain(minor, currency).split(" ") as [string, string];
        expect([parseDecimal(text, currency), code]).toEqual([minor, currency]);
      }),
      { numRuns: 5_000 },
    );
  });
});
