// Accounts in the United States, the United Kingdom, India and Canada.

import { expect, test } from "vitest";
import { passesModulusCheck } from "../../../../src/people/account-rules/uk-modulus.ts";
import { ask, problems, warnings } from "../../../support/checked-accounts.ts";

test.each(["021000021", "011401533", "091000019", "026009593", "322271627", "121000248"])(
  "routing number %s is accepted",
  (bank_code) => {
    const checked = ask("USA", { bank_code, account_number: "000123456789" });
    expect(checked.findings).toEqual([]);
    expect(checked.details).toEqual({ bank_code, account_number: "000123456789", bsb: "" });
  },
);

test.each(["021000022", "000000000", "12345678", "", "02100002a"])(
  "routing number %j is refused",
  (bank_code) => {
    expect(problems(ask("USA", { bank_code, account_number: "1234" }))).toEqual(["bank_code"]);
  },
);

test.each(["123", "123456789012345678", "0000", ""])(
  "American account number %j is refused",
  (account_number) => {
    const checked = ask("USA", { bank_code: "021000021", account_number });
    expect(problems(checked)).toEqual(["account_number"]);
  },
);

test.each([
  ["089999", "66374958"],
  ["107999", "88837491"],
  ["202959", "63748472"],
  ["871427", "46238510"],
  ["309070", "02355688"],
  ["938063", "55065200"],
  ["180002", "00000190"],
  ["871427", "09123496"],
  ["871427", "99123496"],
  ["134020", "63849203"],
])("sort code %s with account %s is accepted", (bank_code, account_number) => {
  const checked = ask("GBR", { bank_code, account_number });
  expect(checked.findings).toEqual([]);
  expect(checked.details).toEqual({ bank_code, account_number, bsb: "" });
});

test.each([
  ["089999", "66374959"],
  ["107999", "88837493"],
  ["118765", "64371388"],
  ["203099", "66831036"],
])("sort code %s with account %s is accepted with a warning", (bank_code, account_number) => {
  const checked = ask("GBR", { bank_code, account_number });
  expect(problems(checked)).toEqual([]);
  expect(warnings(checked)).toEqual(["account_number"]);
});

// The sort codes of this bank compare the remainder with the last two digits as one number.
test("exception 4: 03 and 12 differ although their digits have the same sum", () => {
  const remainderOf = (number: string) => {
    const weights = [0, 0, 0, 7, 5, 9, 8, 4, 6, 3, 5, 2, 0, 0];
    return weights.reduce((sum, weight, place) => sum + weight * Number(number[place]), 0) % 11;
  };
  expect(remainderOf("13402063849203")).toBe(3);
  expect(passesModulusCheck({ sortCode: "134020", accountNumber: "63849203" })).toBe(true);
  for (const accountNumber of ["63849212", "63849221", "63849230"]) {
    expect(remainderOf(`134020${accountNumber}`)).toBe(3);
    expect(passesModulusCheck({ sortCode: "134020", accountNumber })).toBe(false);
  }
});

test("exception 10: the front is skipped only where the seventh digit is 9", () => {
  // If the front were skipped, both would pass.
  expect(passesModulusCheck({ sortCode: "871427", accountNumber: "09123496" })).toBe(true);
  expect(passesModulusCheck({ sortCode: "871427", accountNumber: "09673012" })).toBe(false);
});

test("a British number of 6 or 7 digits gets leading zeros, and a shorter one is refused", () => {
  const stored = (account_number: string) =>
    ask("GBR", { bank_code: "18-00-02", account_number }).details;

  expect(stored("0000190")).toEqual({ bank_code: "180002", account_number: "00000190", bsb: "" });
  expect(stored("000190").account_number).toBe("00000190");
  expect(problems(ask("GBR", { bank_code: "180002", account_number: "00190" }))).toEqual([
    "account_number",
  ]);
});

test.each(["12345", "1234567", "1-23456", "000000", "ab-cd-ef"])(
  "sort code %s is refused",
  (bank_code) => {
    const checked = ask("GBR", { bank_code, account_number: "66374958" });
    expect(problems(checked)).toEqual(["bank_code"]);
  },
);

// ABCD0123456 belongs to no bank, but its form is valid.
test.each(["HDFC0000001", "SBIN0000001", "KKBK0000261", "HDFC0CAGSBK", "ABCD0123456"])(
  "IFSC %s is accepted",
  (bank_code) => {
    const checked = ask("IND", { bank_code, account_number: "012345678" });
    expect(checked.findings).toEqual([]);
    expect(checked.details.account_number).toBe("012345678");
  },
);

test.each(["HDFC1000001", "HDF00000001", "ICIC00000011", ""])("IFSC %j is refused", (bank_code) => {
  expect(problems(ask("IND", { bank_code, account_number: "012345678" }))).toEqual(["bank_code"]);
});

test("an Indian account number has 9 to 18 digits, and an IFSC is stored in capitals", () => {
  const bank_code = "hdfc0cagsbk";
  expect(ask("IND", { bank_code, account_number: "1".repeat(18) }).details.bank_code).toBe(
    "HDFC0CAGSBK",
  );
  for (const account_number of ["12345678", "1".repeat(19), "12345678A"]) {
    expect(problems(ask("IND", { bank_code, account_number }))).toEqual(["account_number"]);
  }
});

test("Canada accepts a zero, the institution and the transit number", () => {
  const account_number = "0012345";
  expect(ask("CAN", { bank_code: "0003-12345", account_number }).details).toEqual({
    bank_code: "000312345",
    account_number,
    bsb: "",
  });
  for (const bank_code of ["12345-003", "100312345", "00312345", ""]) {
    expect(problems(ask("CAN", { bank_code, account_number }))).toEqual(["bank_code"]);
  }
  for (const number of ["123456", "1234567890123"]) {
    const checked = ask("CAN", { bank_code: "000312345", account_number: number });
    expect(problems(checked)).toEqual(["account_number"]);
  }
});

test("a BSB is refused outside Australia and New Zealand", () => {
  const checked = ask("USA", { bank_code: "021000021", account_number: "1234", bsb: "062000" });
  expect(problems(checked)).toEqual(["bsb"]);
});
