// Cells that start like a formula: guarded when they are written, and read back unchanged.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  guardFormula,
  withoutFormulaGuard,
} from "../../../src/platform/documents/formula-guard.ts";

test.each([
  "=1+1",
  "+1+1",
  "+61-2",
  "-1-1",
  "@sum",
  "\t=1",
  "\r=1",
  "＝1",
  "＋1",
  "'=1",
  "'+61",
  "-",
  "+",
])("%j gets an apostrophe", (text) => {
  expect(guardFormula(text)).toBe(`'${text}`);
  expect(withoutFormulaGuard(`'${text}`)).toBe(text);
});

test.each(["+61", "+61 412 345 678", "-5", "-12.50", "12.50", "'", "it's", "'s-Gravenhage", ""])(
  "%j stays unchanged",
  (text) => {
    expect(guardFormula(text)).toBe(text);
    expect(withoutFormulaGuard(text)).toBe(text);
  },
);

test("a phone number with the apostrophe of an older export is read without it", () => {
  expect(withoutFormulaGuard("'+61 412")).toBe("+61 412");
});

test("every text reads back unchanged, and no written cell starts like a formula", () => {
  const piece = fc.constantFrom("'", "=", "+", "-", "@", "\t", "1", "61", " ", ".", "a");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const text = pieces.join("");
      const cell = guardFormula(text);
      expect(withoutFormulaGuard(cell)).toBe(text);
      if (/^[=@\t]|^\+.*[^\d ]|^-.*[^\d.]/.test(cell)) expect.fail(cell);
    }),
    { numRuns: 2_000 },
  );
});
