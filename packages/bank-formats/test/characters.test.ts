// Names and references become what a format takes, whatever script they are written in.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  characterSet,
  findForeignCharacter,
  nameCharacter,
  printableAscii,
  toBankText,
} from "../src/characters.ts";

const few = characterSet("&'-]^\\");

describe("text of a bank file", () => {
  test.each([
    ["José Müller", "Jose Muller"],
    ["Jose\u0301", "Jose"],
    ["O’Brien & Sons", "O'Brien & Sons"],
    ["Œuvre Straße", "Oeuvre Strasse"],
    ["Мария Иванова", "Mariya Ivanova"],
    ["  two   words\t", "two words"],
    ["a;b;;c", "a b c"],
    ["a]b^c\\d-e", "a]b^c\\d-e"],
    ["\u0000\u0007", ""],
    ["", ""],
    ["\ud800", ""],
  ])("%j is written as %j", (text, written) => {
    expect(toBankText(text, few, 32)).toBe(written);
  });

  test("Chinese, Arabic, Hindi and Korean names are transliterated", () => {
    for (const name of ["株式会社", "محمد علي", "प्रिया शर्मा", "김민준"]) {
      expect(toBankText(name, few, 32)).toMatch(/^[A-Za-z0-9 &'-]+$/);
    }
  });

  test("text is cut to the length of the field, without a space at its end", () => {
    expect(toBankText("abcd efgh", few, 5)).toBe("abcd");
    expect(toBankText("abcd efgh", few, 6)).toBe("abcd e");
  });

  test("any text gives characters of the set, no longer than the field, and the same again", () => {
    const cases = fc.tuple(fc.string({ unit: "binary" }), fc.nat(40));
    fc.assert(
      fc.property(cases, ([text, length]) => {
        const written = toBankText(text, few, length);
        expect(findForeignCharacter(written, few)).toBe(-1);
        expect(written.length).toBeLessThanOrEqual(length);
        expect(written).not.toMatch(/^ | $| {2}/);
        expect(toBankText(written, few, length)).toBe(written);
      }),
    );
  });

  test("printable ASCII is kept", () => {
    const all = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");
    expect(toBankText(all, printableAscii, 100)).toBe(all);
  });
});

test("a character outside the set is found and named", () => {
  expect(findForeignCharacter("abc;d", few)).toBe(3);
  expect(findForeignCharacter("abc", few)).toBe(-1);
  expect(nameCharacter(";")).toBe('";" (U+003B)');
  expect(nameCharacter("ë")).toBe('"ë" (U+00EB)');
  expect(nameCharacter("\u0007")).toBe("U+0007");
});
