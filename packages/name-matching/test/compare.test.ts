// What makes two names match, and what does not. All names are made up or public examples of name matching.

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNames, matchThreshold } from "../src/compare.ts";
import { type NameKind, prepareName } from "../src/prepare.ts";

function compare(one: string, other: string, kind: NameKind = "person") {
  return compareNames(prepareName(one, kind), prepareName(other, kind));
}

test.each([
  ["typing error", "Katharina Wiesner", "Katharnia Wiesner"],
  ["two typing errors", "Benedikt Oberhuber", "Benedict Oberhuper"],
  ["word order", "Moreau, Isabelle", "Isabelle Moreau"],
  ["accents", "Zoë Núñez Ångström", "Zoe Nunez Angstrom"],
  ["title", "Prof. Dr. Elena Petrova", "Elena Petrova"],
  ["particles", "Faisal bin Nasser Al-Harthi", "Faisal Nasser Harthi"],
  ["initial", "M. Tendulwadkar", "Madhav Tendulwadkar"],
  ["initials of two words", "JP Beauchemin", "Jean-Pierre Beauchemin"],
  ["glued words", "AnnaKowalczyk", "Anna Kowalczyk"],
  ["split word", "Magda Lena Brunner", "Magdalena Brunner"],
  ["missing word", "Luisa Fernanda Quispe Mamani", "Luisa Quispe Mamani"],
  ["missing patronymic", "Pavel Andreyevich Sokolnikov", "Pavel Sokolnikov"],
  ["Cyrillic", "Павел Сокольников", "Pavel Sokolnikov"],
  ["Greek", "Γιώργος Παπαδάκης", "Giorgos Papadakis"],
  ["Armenian", "Արամ Պետրոսյան", "Aram Petrosyan"],
  ["Arabic, whose script leaves out vowels", "مصطفى القرضاوي", "Mustafa al-Qardawi"],
  ["sound", "Yousef Khadhraoui", "Yusuf Kadraoui"],
  ["servant of", "Abd al-Karim Nazari", "Abdulkarim Nazari"],
  ["digits that look like letters", "Ro5a Wint3r", "Rosa Winter"],
])("people match: %s", (_, one, other) => {
  expect(compare(one, other).score).toBeGreaterThanOrEqual(matchThreshold);
});

test.each([
  ["another last name", "Katharina Wiesner", "Katharina Hofstetter"],
  ["another first name", "Benedikt Oberhuber", "Leopold Oberhuber"],
  ["another middle name", "Pavel Andreyevich Sokolnikov", "Pavel Borisovich Sokolnikov"],
  ["another initial", "M. Tendulwadkar", "Suresh Tendulwadkar"],
  ["one word of two", "Isabelle", "Isabelle Moreau"],
  ["father and son", "Nasser bin Faisal", "Faisal bin Nasser"],
  ["three typing errors in a word", "Erik Lundgren", "Erik Lumdbrex"],
  ["nothing in common", "Zoë Núñez", "Pavel Sokolnikov"],
])("people don't match: %s", (_, one, other) => {
  expect(compare(one, other).score).toBeLessThan(matchThreshold);
});

test.each([
  ["legal form", "Nordwind Handels GmbH", "Nordwind Handels Gesellschaft mit beschränkter Haftung"],
  ["legal form left out", "Nordwind Handels", "Nordwind Handels GmbH"],
  ["legal form before the name", "OOO Severny Veter", "Severny Veter LLC"],
  ["dots", "A.C.M.E. Tools Ltd.", "ACME Tools Limited"],
  ["ampersand", "Baker & Hill Inc", "Baker and Hill Inc"],
  ["short form", "Pacific Mfg Intl", "Pacific Manufacturing International"],
  ["number as a word", "Brigade Seventeen", "Brigade 17"],
])("organisations match: %s", (_, one, other) => {
  expect(compare(one, other, "organisation").score).toBeGreaterThanOrEqual(matchThreshold);
});

test.each([
  ["another legal form", "Nordwind AG", "Nordwind GmbH"],
  ["another city", "Pacific Bank of Lima", "Pacific Bank of Quito"],
  ["another business", "Baker Hill Mining", "Baker Hill Insurance"],
])("organisations don't match: %s", (_, one, other) => {
  expect(compare(one, other, "organisation").score).toBeLessThan(matchThreshold);
});

test("the reasons say which word stands for which", () => {
  const { reasons } = compare("Dr. Jon A. Smithe", "Smith, John Albert");
  const facts = reasons.map(({ left, right, how }) => `${how} ${left}/${right}`);
  expect(facts).toEqual(
    expect.arrayContaining(["sound jon/john", "sound smithe/smith", "initial a/albert"]),
  );
});

const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/);
const anyText = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const kinds = fc.constantFrom<NameKind>("person", "organisation");

test("a score is between 0 and 1, the same in both directions, and 1 for equal names", () => {
  fc.assert(
    fc.property(anyText, anyText, kinds, (one, other, kind) => {
      const { score } = compare(one, other, kind);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(compare(other, one, kind).score).toBeCloseTo(score, 9);
      if (prepareName(one, kind).words.length > 0) expect(compare(one, one, kind).score).toBe(1);
    }),
  );
});

// Without b and d: in "Abd Aziz" and in "Salman bin Faisal" the order tells who is meant.
const movableWord = fc.stringMatching(/^[ACE-Z][ace-z]{2,9}$/);

test("the order of words does not decide", () => {
  fc.assert(
    fc.property(fc.uniqueArray(movableWord, { minLength: 2, maxLength: 5 }), (words) => {
      const turned = [...words].reverse().join(" ");
      expect(compare(words.join(" "), turned).score).toBeGreaterThanOrEqual(matchThreshold);
    }),
  );
});

test.each(["Das", "y", "Al De"])("%s is a name, though its words say little in others", (name) => {
  for (const kind of ["person", "organisation"] as const) {
    expect(compare(name, name, kind).score).toBe(1);
  }
});

test("a name without letters matches nothing", () => {
  expect(compare("!!!", "???").score).toBe(0);
  expect(compare("", "Anna Kowalczyk").score).toBe(0);
});
