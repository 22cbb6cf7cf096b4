// What date of birth and country change about a match of names.

import { expect, test } from "vitest";
import { weighEvidence } from "../../../src/people/screening/evidence.ts";

const names = { score: 0.85, reasons: [] };
const entry = { birthDates: ["1965-03-07"], countries: ["SOM"], isWeak: false };
const unknown = { dob: "", countries: [] };

function dobSays(dob: string, ...birthDates: string[]) {
  return weighEvidence(names, { dob, countries: [] }, { ...entry, birthDates }).dob.says;
}

test.each([
  ["1965-03-07", "1965-03-07", "same"],
  ["1965-03-07", "1965-07-03", "close"],
  ["1965-03-07", "1966-03-07", "close"],
  ["1965-03-07", "1965-03-17", "close"],
  ["1965-03-07", "1965", "close"],
  ["1965-03-07", "1966", "close"],
  ["1965-03-07", "1965-04", "close"],
  ["1965-03-07", "1963/1966", "close"],
  ["1965-03-07", "1967/1970", "other"],
  ["1965-03-07", "1967", "other"],
  ["1965-03-07", "1985-03-07", "other"],
  ["1965-03-07", "1965-11-20", "other"],
  ["1965-03-07", "about 1965", "unknown"],
  ["", "1965", "unknown"],
])("born %s, listed %s: %s", (dob, listed, says) => {
  expect(dobSays(dob, listed)).toBe(says);
});

test("the best of several dates counts", () => {
  expect(dobSays("1965-03-07", "1971", "1965-03-07", "1940")).toBe("same");
});

test("an equal date raises the score, another lowers it, a country does so less", () => {
  const score = (dob: string, countries: string[]) =>
    weighEvidence(names, { dob, countries }, entry).score;
  const alone = weighEvidence(names, unknown, entry).score;
  expect(alone).toBe(names.score);
  expect(score("1965-03-07", [])).toBeGreaterThan(alone);
  expect(score("1991-01-01", [])).toBeLessThan(alone);
  expect(score("", ["SOM"])).toBeGreaterThan(alone);
  expect(score("", ["FIN"])).toBeLessThan(alone);
  expect(alone - score("", ["FIN"])).toBeLessThan(alone - score("1991-01-01", []));
});

test("another date of birth clears a similar name, but not the same name", () => {
  const subject = { dob: "1991-01-01", countries: [] };
  expect(weighEvidence({ score: 0.85, reasons: [] }, subject, entry).isHit).toBe(false);
  expect(weighEvidence({ score: 1, reasons: [] }, subject, entry).isHit).toBe(true);
});

test("a weak alias needs a date of birth or a country that agrees", () => {
  const weak = { ...entry, isWeak: true };
  expect(weighEvidence({ score: 1, reasons: [] }, unknown, weak).isHit).toBe(false);
  expect(
    weighEvidence({ score: 1, reasons: [] }, { dob: "", countries: ["SOM"] }, weak).isHit,
  ).toBe(true);
  expect(
    weighEvidence({ score: 1, reasons: [] }, { dob: "1965-03-08", countries: [] }, weak).isHit,
  ).toBe(true);
});
