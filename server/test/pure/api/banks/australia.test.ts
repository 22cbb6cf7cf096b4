// Accounts in Australia: the bank that a BSB names, and the valid account numbers.

import { expect, test } from "vitest";
import { findAustralianBank } from "../../../../src/people/account-rules/australia.ts";
import { banksByPrefix } from "../../../../src/people/account-rules/australian-banks.ts";
import { ask, problems, warnings } from "../../../support/checked-accounts.ts";

test.each([
  ["062-000", "CBA", "Commonwealth Bank"],
  ["083-047", "NAB", "National Australia Bank"],
  ["012-012", "ANZ", "ANZ"],
  ["032-000", "WBC", "Westpac"],
  ["112-879", "STG", "St.George Bank"],
  ["182-512", "MBL", "Macquarie Bank"],
  ["484-799", "MET", "Suncorp Bank"],
  ["306-089", "BWA", "Bankwest"],
  ["633-000", "BBL", "Bendigo Bank"],
  ["923-100", "ING", "ING Australia"],
  ["802-919", "CRU", "Cuscal"],
])("BSB %s belongs to %s", (bsb, code, name) => {
  const checked = ask("AUS", { bsb, account_number: "12345678" });

  expect(checked).toMatchObject({
    details: { bsb: bsb.replace("-", ""), account_number: "12345678", bank_code: code },
    bankName: name,
    findings: [],
  });
});

test.each(["06-2000", "0620000", "abc-def", "999-999", "000-000", "06200", "062--000", "٠٦٢٠٠٠"])(
  "BSB %s is refused",
  (bsb) => {
    expect(problems(ask("AUS", { bsb, account_number: "12345678" }))).toEqual(["bsb"]);
  },
);

test("the longest prefix names the bank", () => {
  expect(findAustralianBank("662000")?.code).toBe("SUN");
  expect(findAustralianBank("670864")?.code).toBe("YOU");
  expect(findAustralianBank("633000")?.code).toBe("BBL");
  const lengths = new Set([...banksByPrefix.keys()].map((prefix) => prefix.length));
  expect([...lengths].sort()).toEqual([2, 3]);
});

test("all 136 assigned prefixes are present, each once", () => {
  const prefixes = [...banksByPrefix.keys()];
  expect(prefixes.length).toBe(136);
  expect(prefixes.every((prefix) => /^\d{2,3}$/.test(prefix))).toBe(true);
});

test("an unknown prefix is a warning, and the bank stays unknown", () => {
  const checked = ask("AUS", { bsb: "500-001", account_number: "12345678", bank_code: "xyz" });

  expect(problems(checked)).toEqual([]);
  expect(warnings(checked)).toEqual(["bsb"]);
  expect(checked).toMatchObject({ bankName: "", details: { bsb: "500001", bank_code: "XYZ" } });
});

test("a bank code that contradicts the BSB is a warning, and the BSB is used", () => {
  const checked = ask("AUS", { bsb: "062000", account_number: "12345678", bank_code: "NAB" });

  expect(warnings(checked)).toEqual(["bank_code"]);
  expect(checked.details.bank_code).toBe("CBA");
});

test.each(["12345", "123456789", "001234", "1234-5678", "12 345 678", "AB12345"])(
  "account number %s is accepted",
  (account_number) => {
    const checked = ask("AUS", { bsb: "062-000", account_number });
    expect(checked.findings).toEqual([]);
    expect(checked.details.account_number).toBe(account_number.replace(/[ -]/g, ""));
  },
);

test.each(["1234567890", "000000000", "1234", "", "12_345"])(
  "account number %j is refused",
  (account_number) => {
    expect(problems(ask("AUS", { bsb: "062-000", account_number }))).toEqual(["account_number"]);
  },
);

test.each(["12345999", "12345111", "12345222", "12345333", "12345888", "12345444"])(
  "the test account %s passes like a real one",
  (account_number) => {
    expect(ask("AUS", { bsb: "062000", account_number }).findings).toEqual([]);
  },
);

test("every field's problem is reported at once", () => {
  const checked = ask("AUS", { bsb: "1", account_number: "2", abn: "3", acn: "4", nzbn: "5" });
  expect(problems(checked)).toEqual(["account_number", "bsb", "abn", "acn", "nzbn"]);
});

test("no reason repeats the input", () => {
  const checked = ask("AUS", { bsb: "77x77", account_number: "4444333322221111", abn: "8888" });
  for (const { reason } of checked.findings) expect(reason).not.toMatch(/77x77|4444333|8888/);
});
