// Months of statements with known truth: a slice of `npm run prove -- --only statement-months`.

import { expect, test } from "vitest";
import { monthsInDatabase, noMonthsSeen, runMonths } from "../../scenarios/statement-months-run.ts";
import { newDatabase } from "../../support/service.ts";

test("whatever the bank delivers, each movement is booked once, and a month closes only when all is explained", async () => {
  const parts = await newDatabase();
  const seen = noMonthsSeen();
  try {
    await runMonths(parts, { seed: 35, months: monthsInDatabase }, seen);
  } finally {
    await parts.db.close();
  }
  expect(seen.complaints).toEqual([]);
  expect(seen.months).toBe(monthsInDatabase);
}, 300_000);
