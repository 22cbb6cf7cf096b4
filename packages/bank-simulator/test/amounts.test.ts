// The bank's own table of currencies against the one that writes the files.

import { expect, test } from "vitest";
import * as written from "../../bank-formats/src/money.ts";
import { decimals, isCurrency, parseDecimal, toDecimal } from "../src/amounts.ts";

test("the bank knows the currencies of the files, each with the same decimals", () => {
  expect(written.currencyCodes.filter((code) => !isCurrency(code))).toEqual([]);
  const table = (of: typeof decimals) => written.currencyCodes.map((code) => [code, of(code)]);
  expect(table(decimals)).toEqual(table(written.decimals));
  expect(["XXX", "DEM", "aud", ""].filter(isCurrency)).toEqual([]);
});

test.each(["AUD", "JPY", "KWD", "CLF"])("amounts in %s are written and read alike", (code) => {
  for (const amount of [1n, 99n, 12_345n, -5n, written.amountMax])
    expect(toDecimal(amount, code)).toBe(written.toDecimal(amount, code));
  for (const text of ["1", "0", "0.00", "1.5", "1.2345", "01", "-1", "1.", "", "9".repeat(16)])
    expect(parseDecimal(text, code), text).toBe(written.parseDecimal(text, code));
});
