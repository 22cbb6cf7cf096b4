// The index finds what comparing with every name finds.

import { expect, test } from "vitest";
import { compareNames, matchThreshold } from "../../src/names/compare.ts";
import { indexNames } from "../../src/names/name-index.ts";
import { prepareName } from "../../src/names/prepare.ts";

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

test("people find people only", () => {
  expect(index.size).toBe(80);
  expect(index.find(prepareName("Pavel Sokolnikov", "organisation"))).toEqual([]);
});
