// The index of list entries: which subjects hit, and how a hit is explained.

import { expect, test } from "vitest";
import { entryHash, type ListEntry } from "../../../src/people/list-files/list-entry.ts";
import type { NewHit, Subject } from "../../../src/people/screening/hit.ts";
import { buildScreeningIndex } from "../../../src/people/screening/screening-index.ts";
import { accountSubject, receiverSubject } from "../../../src/people/screening/subject.ts";
import { country, organisation, person } from "../../scenarios/screening-lists.ts";

const indexOf = async (...entries: ListEntry[]) => {
  const stored = entries.map((entry) => ({
    ...entry,
    list: "un" as const,
    hash: entryHash(entry),
  }));
  const { names, screen: screenAll } = await buildScreeningIndex(stored);
  const screen = (subject: Subject) => screenAll([subject])[0] as NewHit[];
  return { names, screen, screenAll };
};

const receiver = (name: string, changes: object = {}): Subject => {
  const [first_name = "", ...rest] = name.split(" ");
  const last_name = rest.pop() ?? "";
  const middle_name = rest.join(" ");
  const names = { first_name, middle_name, last_name };
  const ids = { subaccount_id: "s", id: "r" };
  return receiverSubject({ ...ids, ...names, dob: "1970-05-06", country: "AUS", ...changes });
};

const account = (business_name: string, changes: object = {}): Subject =>
  accountSubject({
    ...{ subaccount_id: "s", id: "a", receiver_id: "r" },
    ...{ business_name, aka: "", country: "AUS", ...changes },
  });

const keysOf = (hits: { entryKey: string }[]) => hits.map(({ entryKey }) => entryKey);

test("a receiver hits the entry with its name, in any order, and no other", async () => {
  const { screen } = await indexOf(
    person("1", "Grigor Tossunbek"),
    person("2", "Wilhelmina Astardottir"),
  );
  expect(keysOf(screen(receiver("Grigor Tossunbek")))).toEqual(["1"]);
  expect(keysOf(screen(receiver("Tossunbek Grigor")))).toEqual(["1"]);
  expect(screen(receiver("Ada Lovelace"))).toEqual([]);
});

test("a hit explains which words matched how, and what date of birth and country say", async () => {
  const listed = { birthDates: ["1970-05-06"], countries: ["SYR"] };
  const { screen } = await indexOf(person("1", "Grigor Tossunbek", listed));
  const [hit] = screen(receiver("Grigor Tossunbek"));
  expect(hit?.explanation).toMatchObject({
    subject: { name: "Grigor Tossunbek", dob: "1970-05-06", country: "AUS" },
    listed_name: "Grigor Tossunbek",
    is_weak: false,
    dob: { says: "same", listed: ["1970-05-06"] },
    country: { says: "other", listed: ["SYR"] },
  });
  const words = hit?.explanation.words ?? [];
  expect(words.map(({ how }) => how)).toEqual(["same", "same"]);
});

test("another date of birth lowers the score, and does not close the hit of an equal name", async () => {
  const scoreOf = async (name: string, ...birthDates: string[]) => {
    const { screen } = await indexOf(person("1", "Grigor Tossunbekov", { birthDates }));
    return screen(receiver(name))[0]?.score ?? 0;
  };
  const spelled = "Grigor Tosunbekov";
  const unknown = await scoreOf(spelled);
  expect(await scoreOf(spelled, "1970-05-06")).toBeGreaterThan(unknown);
  expect(await scoreOf(spelled, "1970")).toBeGreaterThan(unknown);
  expect(await scoreOf(spelled, "1965/1975")).toBeGreaterThan(unknown);
  const other = await scoreOf("Grigor Tossunbekov", "1931-01-01");
  expect(other).toBeLessThan(1);
  expect(other).toBeGreaterThan(0.7);
});

test("a weak name is a hit only where a date of birth or a country agrees", async () => {
  const names = [{ text: "Grigor Tossunbek", isWeak: true }];
  const listed = { names, birthDates: ["1970"], countries: ["SYR"] };
  const { screen } = await indexOf(person("1", "", listed));
  expect(screen(receiver("Grigor Tossunbek", { dob: "1999-01-01" }))).toEqual([]);
  expect(screen(receiver("Grigor Tossunbek"))).toHaveLength(1);
  const inCountry = { dob: "1999-01-01", country: "SYR" };
  expect(screen(receiver("Grigor Tossunbek", inCountry))).toHaveLength(1);
});

test("several names of one entry make one hit, with the best of them", async () => {
  const names = ["Gregor Tosunbeg", "Grigor Tossunbek"].map((text) => ({ text, isWeak: false }));
  const { screen } = await indexOf(person("1", "", { names }));
  const hits = screen(receiver("Grigor Tossunbek"));
  expect(hits.map(({ explanation }) => explanation.listed_name)).toEqual(["Grigor Tossunbek"]);
});

test("a business name hits organisations and people, a receiver hits people only", async () => {
  const { screen } = await indexOf(
    organisation("1", "Tossunbek Heavy Metals Trading"),
    person("2", "Grigor Tossunbek"),
    { ...organisation("3", "Pearl of Astardott"), kind: "vessel" },
  );
  expect(keysOf(screen(account("Tossunbek Heavy Metals Trading")))).toEqual(["1"]);
  expect(keysOf(screen(account("Pearl of Astardott")))).toEqual(["3"]);
  expect(keysOf(screen(account("Grigor Tossunbek")))).toEqual(["2"]);
  expect(keysOf(screen(account("", { aka: "Grigor Tossunbek" })))).toEqual(["2"]);
  expect(screen(receiver("Pearl Astardott"))).toEqual([]);
  expect(screen(account(""))).toEqual([]);
});

test("of several subjects, each gets its own hits", async () => {
  const { screenAll } = await indexOf(
    person("1", "Grigor Tossunbek"),
    organisation("2", "Tossunbek Heavy Metals Trading"),
    country("PRK"),
  );
  const subjects = [
    receiver("Ada Lovelace"),
    receiver("Grigor Tossunbek", { country: "PRK" }),
    account("Tossunbek Heavy Metals Trading", { aka: "Grigor Tossunbek" }),
    receiver("Maria Tossunova"),
    receiver("Tossunbek Grigor"),
  ];
  const hits = screenAll(subjects).map(keysOf);
  expect(hits.map((keys) => keys.sort())).toEqual([[], ["1", "PRK"], ["1", "2"], [], ["1"]]);
  expect(screenAll([])).toEqual([]);
});

test("an embargoed country hits receivers and accounts there", async () => {
  const index = await indexOf(country("PRK"));
  expect(index.names).toBe(0);
  const [hit] = index.screen(receiver("Ada Lovelace", { country: "PRK" }));
  expect(hit).toMatchObject({ entryKey: "PRK", score: 1 });
  expect(hit?.explanation.country).toEqual({ says: "same", listed: ["PRK"] });
  expect(keysOf(index.screen(account("", { country: "PRK" })))).toEqual(["PRK"]);
  expect(index.screen(receiver("Ada Lovelace"))).toEqual([]);
});
