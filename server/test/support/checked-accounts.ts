// Checks an account for the tests of this folder: by country, with only the fields that matter.

import {
  type BankDetails,
  type CheckedAccount,
  checkAccount,
} from "../../src/people/account-rules/countries.ts";

type Given = Partial<BankDetails & { abn: string; acn: string; nzbn: string; type: "I" | "B" }>;

export function ask(country: string, given: Given): CheckedAccount {
  const { account_number = "", bsb = "", bank_code = "", type = "I", ...numbers } = given;
  return checkAccount(
    country,
    { account_number, bsb, bank_code },
    { individualOrBusiness: type, abn: "", acn: "", nzbn: "", ...numbers },
  );
}

/** The fields that have a problem: none means that the account is accepted. */
export function problems({ findings }: CheckedAccount): string[] {
  return findings.filter(({ level }) => level === "problem").map(({ field }) => field);
}

export function warnings({ findings }: CheckedAccount): string[] {
  return findings.filter(({ level }) => level === "warning").map(({ field }) => field);
}
