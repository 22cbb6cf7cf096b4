// The schema of each country: its examples match it, and pass the check that creation makes.

import fc from "fast-check";
import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { Compile } from "typebox/schema";
import { expect, test } from "vitest";
import { accountSchema } from "../../../../src/people/account-rules/account-schema.ts";
import { rulesFor } from "../../../../src/people/account-rules/countries.ts";
import { ask, problems } from "../../../support/checked-accounts.ts";

const countries = Object.keys(iso31661Alpha3ToAlpha2);

/** The example accounts of a country: each example once, with the first example of every required field. */
function exampleAccounts(country: string): Record<string, string>[] {
  const { properties, required } = accountSchema(country);
  const entries = Object.entries(properties);
  const base = Object.fromEntries(
    entries
      .filter(([name]) => required.includes(name))
      .map(([name, { examples }]) => [name, examples[0] ?? ""]),
  );
  return entries.flatMap(([name, { examples }]) =>
    examples.map((example) => ({ ...base, [name]: example })),
  );
}

test.each(countries)("%s: every field has an example, every example passes", (country) => {
  const schema = accountSchema(country);
  const validator = Compile(schema);
  for (const { examples } of Object.values(schema.properties)) expect(examples.length).not.toBe(0);

  const accounts = exampleAccounts(country);
  expect(accounts.length).toBeGreaterThan(2);
  for (const account of accounts) {
    expect(validator.Check(account), JSON.stringify(account)).toBe(true);
    expect(ask(country, account).findings, JSON.stringify(account)).toEqual([]);
  }
});

test("every field has a title, a description, and a pattern that HTML can use", () => {
  for (const country of countries) {
    const { properties, required } = accountSchema(country);
    for (const { title, description, pattern } of Object.values(properties)) {
      expect(title).not.toBe("");
      expect(description).not.toBe("");
      if (pattern) expect(() => new RegExp(pattern, "v")).not.toThrow();
    }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  }
});

test.each([
  ["AUS", ["account_type", "bsb", "account_number", "abn", "acn", "business_name"]],
  ["NZL", ["account_type", "account_number", "bsb", "nzbn", "business_name"]],
  ["USA", ["account_type", "bank_code", "account_number", "checking_or_savings", "business_name"]],
  ["GBR", ["account_type", "bank_code", "account_number", "business_name"]],
  ["DEU", ["account_type", "account_number", "bank_code", "business_name"]],
  ["IND", ["account_type", "bank_code", "account_number", "business_name"]],
  ["CAN", ["account_type", "bank_code", "account_number", "business_name"]],
  ["JPN", ["account_type", "bank_code", "account_number", "business_name"]],
])("a form for %s has the fields %j", (country, fields) => {
  expect(Object.keys(accountSchema(country).properties)).toEqual(fields);
});

test("the schema has the fields that a business needs", () => {
  const australian = Compile(accountSchema("AUS"));
  const business = { account_type: "B", bsb: "062000", account_number: "12345678" };
  expect(australian.Check(business)).toBe(false);
  expect(australian.Check({ ...business, abn: "", acn: "" })).toBe(false);
  expect(australian.Check({ ...business, abn: "51 824 753 556" })).toBe(true);
  expect(australian.Check({ ...business, abn: "", acn: "004085616" })).toBe(true);
  expect(australian.Check({ ...business, account_type: "I" })).toBe(true);
  expect(australian.Check({ ...business, account_type: "X" })).toBe(false);

  const newZealander = Compile(accountSchema("NZL"));
  const other = { account_type: "B", account_number: "12-3140-0171323-50" };
  expect(newZealander.Check(other)).toBe(false);
  expect(newZealander.Check({ ...other, nzbn: "9429044650421" })).toBe(true);
});

// The schema may accept wrong check digits. It must never refuse an account that the check accepts.
test("the schema accepts every account that the check accepts", () => {
  const likely = ["", "062-000", "12345678", "20-29-59", "63748472", "021000021", "HDFC0000001"];
  const text = fc.oneof(
    { weight: 1, arbitrary: fc.stringMatching(/^[0-9 -]{0,20}$/) },
    { weight: 4, arbitrary: fc.constantFrom(...likely) },
  );
  const place = fc.constantFrom("AUS", "NZL", "USA", "GBR", "DEU", "IND", "CAN", "JPN");
  let accepted = 0;
  fc.assert(
    fc.property(place, text, text, text, (country, account_number, bsb, bank_code) => {
      const details = { account_number, bsb, bank_code };
      if (problems(ask(country, details)).length > 0) return;
      accepted += 1;
      const trimmed = Object.fromEntries(
        Object.entries(details).map(([name, given]) => [name, given.trim()]),
      );
      expect(Compile(accountSchema(country)).Check({ account_type: "I", ...trimmed })).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(10);
});

test("digits are kept: no zero is lost, and none is added outside the United Kingdom", () => {
  const zeros = fc.stringMatching(/^0{1,3}[1-9]{4,5}$/);
  const banks = { AUS: "bsb", USA: "bank_code", JPN: "bank_code" } as const;
  fc.assert(
    fc.property(fc.constantFrom("AUS", "USA", "JPN"), zeros, (country, account_number) => {
      const [example = ""] = rulesFor(country).fields[banks[country]]?.examples ?? [];
      const { details, findings } = ask(country, { account_number, [banks[country]]: example });
      expect(findings).toEqual([]);
      expect(details.account_number).toBe(account_number);
    }),
  );
});

test("a canonical account is its own canonical form, in every country", () => {
  for (const country of countries) {
    for (const account of exampleAccounts(country)) {
      const { details } = ask(country, account);
      expect(ask(country, details)).toMatchObject({ details, findings: [] });
    }
  }
});
