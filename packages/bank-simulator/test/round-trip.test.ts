// Random payouts, written by the service and read by the bank simulator.

import { expect, test } from "vitest";
import { bankFileWays, runBankFiles } from "./bank-files-run.ts";

test("500 random payouts arrive at the bank: equal count, sum and hash total, every receiver found", () => {
  const { payouts, complaints, files } = runBankFiles(500, 15);
  expect(complaints).toEqual([]);
  expect(Object.values(payouts).reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(Object.keys(payouts)).toHaveLength(bankFileWays.length);
  expect(files).toBeGreaterThanOrEqual(bankFileWays.length);
});
