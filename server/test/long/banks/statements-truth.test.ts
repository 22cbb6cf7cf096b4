// Statements with the truth known: a slice of `npm run prove -- --only statements`.

import { afterAll, beforeAll, expect, test } from "vitest";
import { scale } from "../../scenarios/scale.ts";
import { weekdaysOf } from "../../scenarios/statement-days.ts";
import { runStatements } from "../../scenarios/statements-run.ts";
import { newDatabase } from "../../support/service.ts";

let parts: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  parts = await newDatabase();
});
afterAll(() => parts.db.close());

test("no line is matched wrongly, each is kept once, and what can be matched is matched without a user", async () => {
  const days = weekdaysOf("2026-10").slice(-6);
  const size = { lines: scale(600, 10_000), days, payees: 30, seed: 16 };
  const seen = await runStatements(parts, size);
  expect(seen.complaints).toEqual([]);
  expect(seen.wrong).toBe(0);
  expect(seen.lines).toBeGreaterThanOrEqual(600);
  expect(seen.matched / seen.matchable).toBeGreaterThanOrEqual(0.99);
}, 300_000);
