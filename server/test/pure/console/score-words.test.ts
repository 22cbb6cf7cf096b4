// The score of a hit in words, as a reviewer reads it.

import { expect, test } from "vitest";
import { scoreWords } from "../../../../console/src/reviews/score-words.ts";
import { compareNames, prepareName } from "../../../../packages/name-matching/src/index.ts";
import { weighEvidence } from "../../../src/people/screening/evidence.ts";

/** What screening itself finds, in words. */
function wordsOf(
  [ours, listed]: [string, string],
  { dob = "", dates = [] as string[], country = "AUS", countries = [] as string[] } = {},
  kind: "person" | "organisation" = "person",
): string {
  const match = compareNames(prepareName(ours, kind), prepareName(listed, kind));
  const { reasons, ...weighed } = weighEvidence(
    match,
    { dob, countries: [country] },
    { birthDates: dates, countries, isWeak: false },
  );
  const words = [...reasons];
  const compared = { words, dob: weighed.dob, country: weighed.country };
  return scoreWords({ ...compared, subject: { dob } });
}

const nameOf = (ours: string, listed: string) => wordsOf([ours, listed]).split(" The list has")[0];

test("what differs in the names", () => {
  expect(nameOf("Grigor Tossunbek", "Grigor TOSSUNBEK")).toBe("The name is the same.");
  expect(nameOf("Gregor Tossunbek", "Grigor Tossunbek")).toBe(
    "The name is the same but for one letter (gregor, grigor).",
  );
  expect(nameOf("Tossunbek, Grigor", "Grigor Tossunbek")).toBe(
    "The name is the same but for the order of the words.",
  );
  expect(nameOf("Ada Lovelace", "Ada Augusta Lovelace")).toBe(
    "The name is the same but for “augusta” (only on the list).",
  );
  expect(nameOf("Ada Augusta Lovelace", "Ada Lovelace")).toBe(
    "The name is the same but for “augusta” (not on the list).",
  );
  expect(nameOf("Anna M Kowalczyk", "Anna Maria Kowalczyk")).toBe(
    "The name is the same but for an initial (m, maria).",
  );
  expect(nameOf("AnnaKowalczyk", "Anna Kowalczyk")).toBe(
    "The name is the same but for a space (annakowalczyk, anna kowalczyk).",
  );
});

test("what date of birth and country say", () => {
  const saysOf = (dob: string, ...dates: string[]) =>
    wordsOf(["Ada Lovelace", "Ada Lovelace"], { dob, dates }).replace(
      /^The name is the same\. | The list has no country\.$/g,
      "",
    );
  expect(saysOf("1975-06-14", "1975-06-14")).toBe("The date of birth is the same.");
  expect(saysOf("1975-06-14")).toBe("The list has no date of birth.");
  expect(saysOf("1975-06-14", "1979-06-14")).toBe("The year of birth differs.");
  expect(saysOf("1975-06-14", "1975-07-14")).toBe("The month of birth differs.");
  expect(saysOf("1975-06-14", "1975-06-15")).toBe("The day of birth differs.");
  expect(saysOf("1975-06-04", "1975-04-06")).toBe("Day and month of birth are swapped.");
  expect(saysOf("1975-06-14", "1975")).toBe(
    "The year of birth is the same, and the list has no day.",
  );
  expect(saysOf("1975-06-14", "1976")).toBe(
    "The year of birth is near the one on the list, which has no day.",
  );
  expect(saysOf("1975-06-14", "1970/1976")).toBe(
    "The year of birth is within the years on the list.",
  );
  expect(saysOf("1975-06-14", "1960")).toBe("The year of birth differs.");
  expect(saysOf("1975-06-14", "1975-09-30")).toBe("The date of birth differs.");
  const countries = (...listed: string[]) =>
    wordsOf(["Ada Lovelace", "Ada Lovelace"], { countries: listed });
  expect(countries("AUS", "GBR")).toMatch(/The country is the same\.$/);
  expect(countries("GBR")).toMatch(/The country differs\.$/);
});
