// The table of bank codes: no code twice, and every cause is one sentence for people.

import { expect, test } from "vitest";
import { bankCodes, findBankCode } from "../../src/bank-formats/bank-codes.ts";

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
