// Accounts in New Zealand: published and computed numbers, and the folding step that other implementations omit.

import { expect, test } from "vitest";
import {
  type Algorithm,
  algorithmOf,
  checkSum,
  findNewZealandBank,
  hasRightCheckDigits,
  type NewZealandAccount,
} from "../../../../../packages/bank-formats/src/account-numbers/new-zealand-check.ts";
import { scale } from "../../../scenarios/scale.ts";
import { ask, problems, warnings } from "../../../support/checked-accounts.ts";

function parts(number: string): NewZealandAccount {
  const [bank = "", branch = "", base = "", suffix = ""] = number.split("-");
  return { bank, branch, base, suffix };
}

function sumOf(number: string): { algorithm: Algorithm; sum: number } {
  const account = parts(number);
  const bank = findNewZealandBank(account.bank);
  if (!bank) throw new Error("no such bank");
  const algorithm = algorithmOf(bank.method, account.base);
  return { algorithm, sum: checkSum(account, algorithm) };
}

const valid: [number: string, algorithm: Algorithm, sum: number][] = [
  ["01-0902-0068389-00", "A", 176],
  ["08-6523-1954512-001", "D", 121],
  ["26-2600-0320871-032", "G", 30],
  ["12-3140-0171323-50", "A", 121],
  ["12-3141-0325080-00", "A", 154],
  ["01-0001-0100003-00", "A", 22],
  ["03-0510-0720497-00", "A", 143],
  ["12-3100-7583808-808", "B", 154],
  ["25-2500-5768000-000", "F", 80],
  ["38-9010-0077096-00", "A", 176],
  ["31-2800-7932606-606", "X", 0],
  ["09-0000-0008288-008", "E", 33],
  // Valid only if the products are folded.
  ["26-2600-0320000-021", "G", 20],
  ["28-2110-0320000-084", "G", 20],
  ["09-0000-0001037-003", "E", 22],
];

test.each(valid)("%s is accepted, by algorithm %s with the sum %i", (number, algorithm, sum) => {
  expect(sumOf(number)).toEqual({ algorithm, sum });
  const checked = ask("NZL", { account_number: number });
  expect(checked.findings).toEqual([]);
  expect(checked.details).toEqual({
    account_number: number.replaceAll("-", ""),
    bsb: "",
    bank_code: number.slice(0, 2),
  });
});

// Valid only if the products are not folded.
test.each([
  ["26-2600-0320000-007", "G", 21],
  ["29-2200-0320000-049", "G", 24],
  ["09-0000-0001037-005", "E", 24],
])("%s is refused, by algorithm %s with the sum %i", (number, algorithm, sum) => {
  expect(sumOf(number)).toEqual({ algorithm, sum });
  expect(problems(ask("NZL", { account_number: number }))).toEqual(["account_number"]);
});

test.each([
  ["01-0902-0068388-00", "check digits"],
  ["03-0001-0016527-000", "check digits"],
  ["11-1111-0034141-003", "no such branch"],
  ["05-0123-0034141-03", "No bank"],
  ["38-9000-0000000-00", "zeros"],
  ["31-2800-0000000-00", "zeros"],
  ["09-0000-0000000-000", "zeros"],
  ["01-9999-12312311-111", "15 or 16 digits"],
  ["01-9999-2312311-111", "no such branch"],
  ["01-0902-0068389", "15 or 16 digits"],
  ["01-0902-0068389-0000-0", "15 or 16 digits"],
  ["01090200683890000", "15 or 16 digits"],
  ["", "missing"],
])("%s is refused: %s", (account_number, reason) => {
  const { findings } = ask("NZL", { account_number });
  expect(findings).toMatchObject([{ field: "account_number", level: "problem" }]);
  expect(findings[0]?.reason).toContain(reason);
});

test("01-9999-12312311-111 has valid check digits, but its branch does not exist", () => {
  expect(hasRightCheckDigits(parts("01-9999-12312311-111"), "AB")).toBe(true);
  expect(hasRightCheckDigits(parts("01-9999-2312311-111"), "AB")).toBe(true);
});

test("bank and branch may come in bsb", () => {
  const split = ask("NZL", { bsb: "12-3140", account_number: "0171323-50" });
  const whole = ask("NZL", { account_number: "12-3140-0171323-50" });

  expect(split).toEqual(whole);
  expect(split.details.account_number).toBe("123140017132350");
});

test("bank and branch may come twice, if they agree", () => {
  const account_number = "12-3140-0171323-50";
  expect(ask("NZL", { bsb: "123140", account_number }).findings).toEqual([]);
  expect(problems(ask("NZL", { bsb: "123141", account_number }))).toEqual(["bsb"]);
  expect(problems(ask("NZL", { bank_code: "01", account_number }))).toEqual(["bank_code"]);
});

test("a wrong branch in bsb is a problem of bsb, a missing one of the account number", () => {
  const account_number = "0171323-50";
  expect(problems(ask("NZL", { bsb: "129999", account_number }))).toEqual(["bsb"]);
  expect(problems(ask("NZL", { bsb: "053140", account_number }))).toEqual(["bsb"]);
  expect(problems(ask("NZL", { account_number }))).toEqual(["account_number"]);
});

test("padding zeros are removed, and a suffix of zeros stays", () => {
  const stored = (account_number: string) => ask("NZL", { account_number }).details.account_number;

  expect(stored("01-0902-00068389-0000")).toBe("0109020068389000");
  expect(stored("01-0902-0068389-0000")).toBe("0109020068389000");
  expect(stored("01-0902-00068389-000")).toBe("0109020068389000");
  expect(stored("01-0902-00068389-00")).toBe("010902006838900");
  expect(stored("01 0902 0068389 00")).toBe("010902006838900");
  expect(stored("0109020068389000")).toBe("0109020068389000");
});

test("wrong check digits are a warning where the algorithm is only assumed", () => {
  for (const account_number of ["04-2020-0068388-00", "88-8800-0068388-00"]) {
    const checked = ask("NZL", { account_number });
    expect(problems(checked)).toEqual([]);
    expect(warnings(checked)).toEqual(["account_number"]);
  }
});

test("a canonical account is its own canonical form", () => {
  for (const [number] of valid) {
    const { details } = ask("NZL", { account_number: number });
    expect(ask("NZL", details).details).toEqual(details);
  }
});

const numbersTried = scale(20_000, 100_000);

/** A second implementation of E and G, from the specification: multiply, add tens and units twice, sum up. */
function isValidBySpecification(digits: string, weights: string, modulus: number): boolean {
  let sum = 0;
  weights.split(" ").forEach((weight, place) => {
    let product = String(Number(digits.charAt(place)) * Number(weight));
    for (let round = 0; round < 2; round += 1) {
      product = String([...product].reduce((total, digit) => total + Number(digit), 0));
    }
    sum += Number(product);
  });
  return sum % modulus === 0;
}

test.each([
  ["E", "09", "0000", "0 0 0 0 0 0 0 0 0 0 5 4 3 2 0 0 0 1", 11],
  ["G", "26", "2600", "0 0 0 0 0 0 0 1 3 7 1 3 7 1 0 3 7 1", 10],
] as const)(
  "algorithm %s agrees with a second implementation",
  (algorithm, bank, branch, weights, modulus) => {
    let accepted = 0;
    for (let tried = 0; tried < numbersTried; tried += 1) {
      const base = String(1 + Math.floor(Math.random() * 9_999_999)).padStart(7, "0");
      const suffix = String(Math.floor(Math.random() * 1000)).padStart(3, "0");
      const expected = isValidBySpecification(
        `${bank}${branch}0${base}0${suffix}`,
        weights,
        modulus,
      );
      const isAccepted =
        ask("NZL", { account_number: `${bank}${branch}${base}${suffix}` }).findings.length === 0;
      if (isAccepted !== expected) throw new Error(`${bank}-${branch}-${base}-${suffix}`);
      if (isAccepted) accepted += 1;
    }
    console.info(`algorithm ${algorithm}: ${numbersTried} numbers, ${accepted} accepted by both`);
    expect(accepted).toBeGreaterThan(numbersTried / modulus / 2);
  },
);
