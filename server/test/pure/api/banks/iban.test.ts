// Accounts by IBAN and by BIC: the euro payments area and the rest of the world.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { expect, test } from "vitest";
import { isBic } from "../../../../../packages/bank-formats/src/account-numbers/bic.ts";
import { isIban } from "../../../../../packages/bank-formats/src/account-numbers/iban.ts";
import { rulesFor } from "../../../../src/people/account-rules/countries.ts";
import { ask, problems, warnings } from "../../../support/checked-accounts.ts";

test.each([
  ["DEU", "DE89370400440532013000"],
  ["FRA", "FR1420041010050500013M02606"],
  ["NLD", "NL91ABNA0417164300"],
  ["IRL", "IE29AIBK93115212345678"],
])("in %s, IBAN %s is accepted with and without a BIC", (country, account_number) => {
  const details = { account_number, bsb: "", bank_code: "" };
  expect(isIban(account_number)).toBe(true);
  expect(ask(country, details)).toMatchObject({ findings: [], details });
  const bank_code = `ABCD${account_number.slice(0, 2)}2XXXX`;
  expect(ask(country, { account_number, bank_code }).findings).toEqual([]);
});

test.each(["GB29NWBK60161331926819", "GB33BUKB20201555555555"])("IBAN %s is valid", (iban) => {
  expect(isIban(iban)).toBe(true);
});

test.each(["DE89370400440532013001", "GB00NWBK60161331926819", "XX00", ""])(
  "IBAN %j is invalid",
  (account_number) => {
    expect(isIban(account_number)).toBe(false);
    expect(problems(ask("DEU", { account_number }))).toEqual(["account_number"]);
  },
);

test("an IBAN must belong to the account's country", () => {
  const { findings } = ask("FRA", { account_number: "DE89370400440532013000" });
  expect(findings).toEqual([
    {
      field: "account_number",
      level: "problem",
      reason: "IBAN is not valid. 27 characters that begin with FR: an IBAN of France.",
    },
  ]);
});

test("an IBAN is stored in capitals, without spaces, with its zeros", () => {
  const checked = ask("NLD", { account_number: " nl91 abna 0417 1643 00 " });
  expect(checked.details.account_number).toBe("NL91ABNA0417164300");
});

test("wrong national check digits inside an IBAN are a warning", () => {
  const checked = ask("NOR", { account_number: "NO6686011117948" });
  expect(problems(checked)).toEqual([]);
  expect(warnings(checked)).toEqual(["account_number"]);
});

test("a territory accepts the IBANs of its country", () => {
  expect(ask("REU", { account_number: "FR1420041010050500013M02606" }).findings).toEqual([]);
  expect(ask("ALA", { account_number: "FI2112345600000785" }).findings).toEqual([]);
  expect(rulesFor("PYF").fields.bank_code?.required).toBe(true);
});

test.each(["DEUTDEFF", "CTBAAU2SXXX", "WPACNZ2W"])("BIC %s is valid", (bic) => {
  expect(isBic(bic)).toBe(true);
});

test.each(["DEUTDEF", "DEUT0EFF", "DEUTDEFFX", "DEUTZZFF", "DEUT/DEFF"])(
  "BIC %s is invalid",
  (bank_code) => {
    expect(isBic(bank_code)).toBe(false);
    const account_number = "DE89370400440532013000";
    expect(problems(ask("DEU", { account_number, bank_code }))).toEqual(["bank_code"]);
  },
);

test("a bank abroad is a warning", () => {
  const account_number = "DE89370400440532013000";
  expect(warnings(ask("DEU", { account_number, bank_code: "WPACNZ2W" }))).toEqual(["bank_code"]);
});

test("other countries require a BIC, and an IBAN where the country has them", () => {
  expect(problems(ask("JPN", { account_number: "0012345" }))).toEqual(["bank_code"]);
  expect(ask("JPN", { account_number: "001-2345", bank_code: "bota jp jt" })).toMatchObject({
    findings: [],
    details: { account_number: "0012345", bank_code: "BOTAJPJT" },
  });
  expect(problems(ask("JPN", { account_number: "1".repeat(35), bank_code: "BOTAJPJT" }))).toEqual([
    "account_number",
  ]);
  expect(problems(ask("ARE", { account_number: "0012345", bank_code: "EBILAEAD" }))).toEqual([
    "account_number",
  ]);
  const dubai = { account_number: "AE070331234567890123456", bank_code: "EBILAEAD" };
  expect(ask("ARE", dubai).findings).toEqual([]);
  expect(problems(ask("ARE", { ...dubai, bank_code: "" }))).toEqual(["bank_code"]);
});

test("every country has rules, and other codes have none", () => {
  const countries = Object.keys(iso31661Alpha3ToAlpha2);
  expect(countries.length).toBe(249);
  for (const country of countries) expect(rulesFor(country).country).toBe(country);
  for (const country of ["", "AU", "aus", "XXX", "__proto__", "constructor"]) {
    expect(() => rulesFor(country)).toThrow(RangeError);
  }
});
