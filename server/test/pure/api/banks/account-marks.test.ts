// Account numbers that reach one account compare as equal, in every country that can write one in several ways.

import { expect, test } from "vitest";
import { comparableNumber } from "../../../../src/people/accounts/mark.ts";
import { ask, problems } from "../../../support/checked-accounts.ts";

type Ways = [country: string, codes: { bsb?: string; bank_code?: string }, ways: string[]];

/** Each is accepted, and all of a row are one account. */
const oneAccount: Ways[] = [
  [
    "NZL",
    {},
    [
      "01-0902-0068389-00",
      "01-0902-0068389-000",
      "010902006838900",
      "0109020068389000",
      "01 0902 0068389 00",
      "01-0902-00068389-0000",
    ],
  ],
  ["NZL", { bsb: "01-0902" }, ["0068389-00", "0068389-000", "0068389 00"]],
  ["AUS", { bsb: "062-000" }, ["1234567", "001234567", "12-34567", "1234 567"]],
  ["USA", { bank_code: "021000021" }, ["123456789", "000123456789", "12345-6789"]],
  ["USA", { bank_code: "021000021" }, ["12ab56789", "12AB56789"]],
  ["GBR", { bank_code: "20-29-59" }, ["03748472", "3748472", "374 8472"]],
  ["CAN", { bank_code: "000312345" }, ["1234567", "001234567", "123-4567"]],
  ["IND", { bank_code: "HDFC0000001" }, ["50100012345678", "0050100012345678", "5010 0012 345678"]],
  ["DEU", {}, ["DE89370400440532013000", "de89 3704 0044 0532 0130 00"]],
  ["SGP", { bank_code: "DBSSSGSG" }, ["0012345678", "12345678", "1234-5678"]],
];

const comparableOf = ([country, codes]: Ways, account_number: string) => {
  const checked = ask(country, { ...codes, account_number });
  expect(problems(checked), `${country} ${account_number}`).toEqual([]);
  return comparableNumber(country, checked.details.account_number);
};

test("every way to write an account number compares as equal", () => {
  for (const row of oneAccount) {
    const found = new Set(row[2].map((way) => comparableOf(row, way)));
    expect(found.size, `${row[0]}: ${[...found]}`).toBe(1);
  }
});

test("other suffixes in New Zealand are other accounts", () => {
  const numbers = ["00", "01", "10", "001", "010", "100"].map((suffix) =>
    comparableNumber("NZL", `0109020068389${suffix}`),
  );
  expect(new Set(numbers).size).toBe(4);
});
