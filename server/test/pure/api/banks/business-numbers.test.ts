// ABN, ACN and NZBN: known numbers, random numbers compared with another library, and which accounts need them.

import { stdnum } from "stdnum";
import { expect, test } from "vitest";
import { isAbn, isAcn, isNzbn } from "../../../../src/people/account-rules/business-numbers.ts";
import { scale } from "../../../scenarios/scale.ts";
import { ask, problems, warnings } from "../../../support/checked-accounts.ts";

const sydney = { bsb: "062-000", account_number: "12345678" };
const auckland = { account_number: "12-3140-0171323-50" };

test.each([
  "51 824 753 556",
  "83 914 571 673",
  "53 004 085 616",
  "33 007 457 141",
  "12 004 044 937",
  "11 005 357 522",
  "48 123 123 124",
  "99 000 000 000",
])("ABN %s is accepted", (abn) => {
  const checked = ask("AUS", { ...sydney, type: "B", abn });
  expect(checked.findings).toEqual([]);
  expect(checked.businessNumbers.abn).toBe(abn.replaceAll(" ", ""));
});

test.each([
  "51 824 753 557",
  "99 999 999 999",
  "12345678",
  "00 000 000 000",
  "10 000 000 000",
  "5182475355a",
])("ABN %s is refused", (abn) => {
  expect(problems(ask("AUS", { ...sydney, type: "B", abn }))).toEqual(["abn"]);
});

test.each([
  "004 085 616",
  "010 499 966",
  "000 000 019",
  "000 250 000",
  "000 500 005",
  "001 000 004",
  "001 749 999",
  "005 999 977",
])("ACN %s is accepted", (acn) => {
  const checked = ask("AUS", { ...sydney, type: "B", acn });
  expect(checked.findings).toEqual([]);
  expect(checked.businessNumbers.acn).toBe(acn.replaceAll(" ", ""));
});

test.each(["004 085 617", "999 999 999", "010 000 007", "0040856169", "000 000 000"])(
  "ACN %s is refused",
  (acn) => {
    expect(problems(ask("AUS", { ...sydney, type: "B", acn }))).toEqual(["acn"]);
  },
);

test.each([
  "9429044650421",
  "9429039501974",
  "9429041535134",
  "9429000000017",
  "9429041234563",
  "9429047000001",
])("NZBN %s is accepted", (nzbn) => {
  expect(ask("NZL", { ...auckland, type: "B", nzbn }).findings).toEqual([]);
});

test.each([
  "9429044650420",
  "9429039501976",
  "942904465042",
  "942904465042a",
  "9429034581661",
  "9506000140445",
])("NZBN %s is refused", (nzbn) => {
  expect(problems(ask("NZL", { ...auckland, type: "B", nzbn }))).toEqual(["nzbn"]);
});

test("9506000140445 is a valid location number, but not of New Zealand", () => {
  const digits = [..."9506000140445"].map(Number);
  const sum = digits.reduce((total, digit, place) => total + digit * (place % 2 ? 3 : 1), 0);
  expect(sum % 10).toBe(0);
  expect(isNzbn("9506000140445")).toBe(false);
});

test("a business in Australia needs an ABN or an ACN, an individual neither", () => {
  expect(problems(ask("AUS", { ...sydney, type: "B" }))).toEqual(["abn"]);
  expect(problems(ask("AUS", { ...sydney, type: "B", nzbn: "9429044650421" }))).toEqual(["abn"]);
  expect(problems(ask("AUS", { ...sydney, type: "I" }))).toEqual([]);
  expect(problems(ask("AUS", { ...sydney, type: "I", abn: "51824753557" }))).toEqual(["abn"]);
});

test("a business in New Zealand needs an NZBN, elsewhere nothing", () => {
  expect(problems(ask("NZL", { ...auckland, type: "B" }))).toEqual(["nzbn"]);
  expect(problems(ask("NZL", { ...auckland, type: "B", abn: "51824753556" }))).toEqual(["nzbn"]);
  const berlin = { account_number: "DE89370400440532013000", type: "B" as const };
  expect(problems(ask("DEU", berlin))).toEqual([]);
  expect(problems(ask("DEU", { ...berlin, nzbn: "1" }))).toEqual(["nzbn"]);
});

test("an ABN that does not end with the ACN is a warning, because trusts differ", () => {
  const company = { ...sydney, type: "B" as const, acn: "004 085 616" };
  expect(ask("AUS", { ...company, abn: "53 004 085 616" }).findings).toEqual([]);
  const trust = ask("AUS", { ...company, abn: "51 824 753 556" });
  expect(problems(trust)).toEqual([]);
  expect(warnings(trust)).toEqual(["abn"]);
});

const numbersTried = scale(20_000, 100_000);

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join("");
}

// The library accepts nine zeros as an ACN. We do not, but random numbers will not be nine zeros.
test.each([
  ["ABN", 11, isAbn, stdnum.AU?.abn],
  ["ACN", 9, isAcn, stdnum.AU?.acn],
] as const)("our %s check agrees with another library's", (name, digits, isOurs, theirs) => {
  let accepted = 0;
  for (let tried = 0; tried < numbersTried; tried += 1) {
    const number = randomDigits(digits);
    const isValid = isOurs(number);
    if (isValid !== theirs?.validate(number).isValid) throw new Error(number);
    if (isValid) accepted += 1;
  }
  console.info(`${name}: ${numbersTried} numbers, ${accepted} accepted by both`);
  expect(accepted).toBeGreaterThan(numbersTried / 89 / 2);
});
