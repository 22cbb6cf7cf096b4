// The table of bank codes: no code twice, and every cause is one sentence for people.

import returnReasons from "@taprsvp/iso20022_external_codes/code_sets/external_return_reason_code.json" with {
  type: "json",
};
import statusReasons from "@taprsvp/iso20022_external_codes/code_sets/external_status_reason_code.json" with {
  type: "json",
};
import { expect, test } from "vitest";
import { bankCodes, findBankCode } from "../src/bank-codes.ts";

test("every code stands once, with a cause", () => {
  const keys = bankCodes.map(({ scheme, code }) => `${scheme}/${code}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { cause } of bankCodes) expect(cause).toMatch(/^[A-Z0-9].*[^. ]$/);
});

test("codes are found by scheme", () => {
  expect(findBankCode("becs", "3")).toEqual({
    scheme: "becs",
    code: "3",
    cause: "The account is closed",
    outcome: "correctable",
  });
  expect(findBankCode("becs", "7")).toBeUndefined();
  expect(findBankCode("nacha", "3")).toBeUndefined();
});

test("American returns and notifications of change are known, and unused codes are not", () => {
  const known = (letter: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${letter}${from + index}`)
      .map((code) => code.replace(/^(.)(\d)$/, "$10$2"))
      .filter((code) => findBankCode("nacha", code));
  expect(known("R", 1, 47)).toHaveLength(47);
  expect(known("R", 50, 85).join(" ")).toBe(
    "R50 R51 R52 R53 R61 R62 R67 R68 R69 R70 R71 R72 R73 R74 R75 R76 R77 R80 R81 R82 R83 R84 R85",
  );
  expect(known("C", 1, 14)).toHaveLength(14);
  expect(known("C", 61, 69)).toHaveLength(9);
  expect(findBankCode("nacha", "R02")).toMatchObject({ outcome: "correctable" });
  expect(findBankCode("nacha", "R15")).toMatchObject({ outcome: "final" });
});

test("codes of ISO 20022 are in its lists of reasons, and those that rails meet are known", () => {
  const listed = new Set([
    ...Object.keys(returnReasons.codes),
    ...Object.keys(statusReasons.codes),
  ]);
  const known = bankCodes.filter(({ scheme }) => scheme === "iso").map(({ code }) => code);
  expect(known.filter((code) => !listed.has(code))).toEqual([]);
  for (const code of "AC01 AC04 AC06 AG01 AM04 AM05 BE04 DU01 MD06 MD07 MS03 NARR".split(" ")) {
    expect(known).toContain(code);
  }
  expect(findBankCode("iso", "AC04")).toMatchObject({ outcome: "correctable" });
  expect(findBankCode("iso", "MD07")).toMatchObject({ outcome: "final" });
});
