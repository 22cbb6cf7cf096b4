// The index finds what comparing with every name finds.

import { expect, test } from "vitest";
import { drawOf, swapNeighbours } from "../../../server/test/scenarios/seeded-draw.ts";
import { compareNames, matchThreshold } from "../src/compare.ts";
import { indexNames } from "../src/name-index.ts";
import { prepareName } from "../src/prepare.ts";
import { madeUpNames } from "./made-up-names.ts";

const firsts = "Pavel Elena Faisal Madhav Isabelle Benedikt Katharina Luisa Aram Yousef".split(" ");
const lasts = "Sokolnikov Petrova Harthi Tendulwadkar Moreau Oberhuber Wiesner Quispe".split(" ");
const listed = firsts.flatMap((first) => lasts.map((last) => `${first} ${last}`));
const index = indexNames(
  listed.map((text) => ({ entry: text, name: prepareName(text, "person") })),
);

test.each([
  "Pavel Sokolnikov",
  "Tendulwadkar, M",
  "Elena Andreyevna Petrowa",
  "IsabelleMoreau",
  "Kath Arina Wiesner",
  "Benedict Oberhuper",
  "Юсеф Кипсе",
  "Someone Else",
])("%s", (text) => {
  const name = prepareName(text, "person");
  const all = listed.filter(
    (each) => compareNames(name, prepareName(each, "person")).score >= matchThreshold,
  );
  const found = index.find(name);
  expect(found.map(({ entry }) => entry).sort()).toEqual(all.sort());
  const scores = found.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((one, other) => other - one));
});

test("the same is found whether a word was kept, forgotten or never asked for", () => {
  const sought = ["Benedict Oberhuper", "Someone Else"].map((text) => prepareName(text, "person"));
  const first = sought.map((name) => index.find(name));
  expect(first.map(({ length }) => length)).toEqual([1, 0]);
  const letters = "abcdefghijklmnop";
  const nameOf = (number: number) =>
    [...number.toString(16)].map((digit) => letters[Number.parseInt(digit, 16)]).join("");
  for (let number = 0; number < 90_000; number += 1) {
    index.find(prepareName(`x${nameOf(number)}`, "person"));
    // At first in the words that are kept, then in those of before, and at last long forgotten.
    if (number === 1_000 || number === 22_000 || number === 89_999)
      expect(sought.map((name) => index.find(name))).toEqual(first);
  }
});

test("made-up names with errors are found as by comparing with each", () => {
  const draw = drawOf(5);
  const names = madeUpNames(500, 5);
  const prepared = names.map(({ text, kind }) => prepareName(text, kind));
  const madeUp = indexNames(prepared.map((name, entry) => ({ entry, name })));
  const changes: ((words: string[]) => string[])[] = [
    (words) => words.toReversed(),
    (words) => words.toSpliced(draw.below(words.length), 1),
    (words) => words.map((word, at) => (at === 0 ? `${word}x` : word)),
    (words) => words.map((word, at) => (at === 1 ? swapNeighbours(word, draw) : word)),
    (words) => words.map((word, at) => (at === 1 ? swapNeighbours(`${word}x`, draw) : word)),
    (words) => words.map((word, at) => (at === 1 ? `${word.slice(0, 2)}w${word.slice(3)}e` : word)),
    (words) => words.map((word, at) => (at === 0 ? word.replaceAll(/[aeoi]/g, "$&$&") : word)),
    (words) => [words.slice(0, 2).join(""), ...words.slice(2)],
    (words) => words.map((word, at) => (at === 0 ? word.slice(0, 1) : word)),
  ];
  let matches = 0;
  for (let round = 0; round < 120; round += 1) {
    const { text, kind } = draw.pick(names);
    const name = prepareName(draw.pick(changes)(text.split(" ")).join(" "), kind);
    const found = madeUp.find(name).map(({ entry }) => entry);
    const all = [...prepared.keys()].filter((entry) => {
      const other = prepared[entry] as (typeof prepared)[number];
      return other.kind === kind && compareNames(name, other).score >= matchThreshold;
    });
    expect(
      found.toSorted((one, other) => one - other),
      name.text,
    ).toEqual(all);
    matches += all.length;
  }
  expect(matches).toBeGreaterThan(100);
});

test("in a long list, a word that many names have says less", () => {
  const many = Array.from({ length: 1_200 }, (_, entry) => ({
    entry,
    name: prepareName(`Zorvan ${String.fromCharCode(97 + (entry % 26))}${entry}lek`, "person"),
  }));
  const rare = { entry: -1, name: prepareName("Quillon Brastev Omduran", "person") };
  const common = { entry: -2, name: prepareName("Zorvan Brask Omduran", "person") };
  const long = indexNames([...many, rare, common]);
  expect(long.find(prepareName("Quillon Brastev", "person"))).toHaveLength(1);
  const [found] = long.find(prepareName("Zorvan Brask Omduran", "person"));
  const weights = Object.fromEntries(
    found?.reasons.map(({ left, weight }) => [left, weight]) ?? [],
  );
  expect(weights.zorvan).toBeLessThan(weights.omduran as number);
});

test("people find people only", () => {
  expect(index.size).toBe(80);
  expect(index.find(prepareName("Pavel Sokolnikov", "organisation"))).toEqual([]);
});
