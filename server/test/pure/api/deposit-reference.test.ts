// Deposit references: a wrong or swapped character is found, and a reference is found in whatever a bank makes of it.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  depositReferencesIn,
  isDepositReference,
  newDepositReference,
  showDepositReference,
  similarDepositReferences,
} from "../../../src/money/ledger/deposit-reference.ts";

const alphabet = [..."0123456789ABCDEFGHJKMNPQRSTVWXYZ"];
/** From the generator itself, which has its own randomness: a failure shows the reference. */
const reference = fc.constant(undefined).map(newDepositReference);
const places = Array.from({ length: 10 }, (_, place) => place);
const runs = { numRuns: 300 };

function replaceAt(text: string, place: number, character: string): string {
  return text.slice(0, place) + character + text.slice(place + 1);
}

test("a new reference has ten characters, a letter, a digit and a fitting check character", () => {
  fc.assert(
    fc.property(reference, (text) => {
      expect(text).toMatch(/^(?=.*[0-9])(?=.*[A-Z])[0-9A-HJKMNP-TV-Z]{10}$/);
      expect(isDepositReference(text)).toBe(true);
      expect(depositReferencesIn(text)).toEqual([text]);
    }),
    runs,
  );
  expect(isDepositReference("K7Q2M9XW4F")).toBe(true);
});

test("every wrong character is found, at every place", () => {
  fc.assert(
    fc.property(reference, (text) => {
      for (const place of places) {
        const others = alphabet.filter((character) => character !== text[place]);
        expect(others).toHaveLength(31);
        for (const character of others) {
          expect(isDepositReference(replaceAt(text, place, character))).toBe(false);
        }
      }
    }),
    runs,
  );
});

test("every swap of two different characters is found, also of characters that are far apart", () => {
  fc.assert(
    fc.property(reference, (text) => {
      for (const one of places) {
        for (const other of places.slice(one + 1)) {
          const [first, second] = [text[one] as string, text[other] as string];
          const swapped = replaceAt(replaceAt(text, one, second), other, first);
          expect(isDepositReference(swapped)).toBe(first === second);
        }
      }
    }),
    runs,
  );
});

test("a reference is found in any case, with separators, next to other letters and across lines", () => {
  const separator = fc.constantFrom("", "", "", " ", "-", "/", ".", "\n", "é", "  ");
  const around = fc.string({ maxLength: 30 });
  const written = fc.array(fc.tuple(separator, fc.boolean()), { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(reference, written, around, around, (text, ways, before, after) => {
      const spelled = ways
        .map(([gap, isLower], place) => {
          const character = text[place] as string;
          return gap + (isLower ? character.toLowerCase() : character);
        })
        .join("");
      expect(depositReferencesIn(`${before}${spelled}${after}`)).toContain(text);
      expect(depositReferencesIn(showDepositReference(text))).toEqual([text]);
    }),
    runs,
  );
});

test("I and L are read as 1, O as 0; U ends a reference", () => {
  fc.assert(
    fc.property(reference, fc.constantFrom("I", "L", "i", "l"), (text, one) => {
      const spoken = text.replaceAll("1", one).replaceAll("0", "o");
      expect(depositReferencesIn(spoken)).toEqual([text]);
      expect(depositReferencesIn(`${text.slice(0, 4)}U${text.slice(4)}`)).toEqual([]);
      // Only what we write ourselves is a reference; everything else is a text that may carry one.
      expect(isDepositReference(spoken)).toBe(spoken === text);
      expect(isDepositReference(showDepositReference(text))).toBe(false);
    }),
    runs,
  );
});

test("a text without a reference carries few by chance, and each only once", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const found = depositReferencesIn(text);
      expect(new Set(found).size).toBe(found.length);
      for (const one of found) expect(isDepositReference(one)).toBe(true);
    }),
    runs,
  );
  expect(depositReferencesIn("")).toEqual([]);
  expect(depositReferencesIn("K7Q2M9XW4")).toEqual([]);
  expect(depositReferencesIn("K7Q2M 9XW4F and k7q2m-9xw4f")).toContain("K7Q2M9XW4F");
});

test("references are shown to people in two groups of five", () => {
  expect(showDepositReference("K7Q2M9XW4F")).toBe("K7Q2M 9XW4F");
});

test("one wrong, missing or added character, and two swapped ones, still suggest the reference", () => {
  fc.assert(
    fc.property(reference, fc.nat(9), fc.constantFrom(...alphabet), (text, place, character) => {
      const [one, next] = [text[place] as string, text[place + 1]];
      const slips = [
        replaceAt(text, place, character),
        text.slice(0, place) + text.slice(place + 1),
        text.slice(0, place) + character + text.slice(place),
        next === undefined ? text : text.slice(0, place) + next + one + text.slice(place + 2),
      ];
      for (const slip of slips) {
        expect(similarDepositReferences(`for ${slip.toLowerCase()}, thanks`)).toContain(text);
        expect(similarDepositReferences(`${slip.slice(0, 5)} ${slip.slice(5)}`)).toContain(text);
      }
    }),
    runs,
  );
});
