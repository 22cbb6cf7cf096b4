// Account numbers of New Zealand in bank files, and the hash total over them.

import { expect, test } from "vitest";
import {
  doubtAbout,
  HashTotal,
  splitNewZealandAccount,
  wholeAccountNumber,
} from "../src/nz/accounts.ts";
import { newZealandDate } from "../src/nz/payments.ts";
import { nzPayment } from "./nz-support.ts";

function hashOf(accounts: string[], baseDigits: 7 | 8 = 7): HashTotal {
  const hash = new HashTotal(baseDigits);
  for (const account of accounts) {
    const parts = splitNewZealandAccount(account.replace(/[- ]/g, ""));
    if (!parts) throw new Error(`${account} is no account`);
    hash.add(parts);
  }
  return hash;
}

test.each<[string[], string]>([
  [["12-3191-0654321-001", "01-0242-0123456-000"], "34330777777"],
  [["02-0108-0987654-000"], "01080987654"],
  [["12-3191-0654321-001"], "31910654321"],
  [["02-0191-0003676-004", "02-0191-0003676-004"], "03820007352"],
  [new Array(4).fill("12-3191-0654321-001"), "27642617284"],
  [["01-0902-0068389-00"], "09020068389"],
  // ANZ's, ASB's and Kiwibank's own examples. The last account of the first has a base of eight digits.
  [
    ["01-0123-0456789-00", "06-0475-0123456-02", "11-6100-1234567-040", "03-0321-00987654-030"],
    "70192802466",
  ],
  [["12-1234-1234567-00", "12-4321-7654321-00"], "55558888888"],
  [["38-9016-0725779-000", "38-9016-0704505-000"], "80321430284"],
])("the hash total of %j is %s", (accounts, expected) => {
  expect(hashOf(accounts).digits).toBe(expected);
});

test("ANZ's hash total has no zeros before it", () => {
  expect(hashOf(["02-0108-0987654-000"]).value).toBe("1080987654");
});

test("some programs take bases of eight digits, with a zero before", () => {
  expect(hashOf(["01-0123-0456789-00"], 8).digits).toBe("12300456789");
});

test.each([
  ["010902006838900", ["01", "0902", "0068389", "00"]],
  ["0109020068389000", ["01", "0902", "0068389", "000"]],
  ["01090200068389000", ["01", "0902", "00068389", "000"]],
  ["010902000683890000", ["01", "0902", "00068389", "0000"]],
])("%s is split by its length", (digits, [bank, branch, base, suffix]) => {
  expect(splitNewZealandAccount(digits)).toEqual({ bank, branch, base, suffix });
});

test.each(["", "01090200683890", "0109020068389000000", "01-0902-0068389"])(
  "%j is no account number",
  (digits) => {
    expect(splitNewZealandAccount(digits)).toBeUndefined();
  },
);

test.each([
  ["010902006838900", undefined],
  ["010902006838800", "the check digits of the account number that ends in 800 are wrong"],
  ["050123003414103", "no bank that we know has the number 05"],
  ["111111003414103", "no branch that we know of bank 11 has the number 1111"],
  ["389000000000000", "the base of the account number is all zeros"],
])("what is doubtful about %s", (digits, doubt) => {
  const parts = splitNewZealandAccount(digits);
  expect(parts && doubtAbout(parts)).toBe(doubt);
});

test("bank and branch may stand in the BSB of a payment", () => {
  const payment = nzPayment({ bsb: "010902", accountNumber: "006838900" });
  expect(wholeAccountNumber(payment)).toBe("010902006838900");
  expect(wholeAccountNumber(nzPayment())).toBe("010902006838900");
});

test("a file is dated by the day in New Zealand", () => {
  expect(newZealandDate(Date.parse("2026-11-16T10:59:59Z"))).toBe("2026-11-16");
  expect(newZealandDate(Date.parse("2026-11-16T11:00:00Z"))).toBe("2026-11-17");
});
