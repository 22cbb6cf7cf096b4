// kill -9 of processes that apply statements and decide about their lines. A slice of
// `npm run prove -- --only statement-kills`.

import { expect, test } from "vitest";
import { weekdaysOf } from "../scenarios/statement-days.ts";
import { killStatements } from "../scenarios/statement-kills-run.ts";
import { masterKey, newDatabase } from "../support/service.ts";

test("after kills each line is kept and booked once, and the books balance", async () => {
  const parts = await newDatabase();
  const size = { lines: 200, days: weekdaysOf("2026-10").slice(-3), payees: 9, seed: 16 };
  const { complaints, ...seen } = await killStatements({ ...parts, masterKey, size, kills: 2 });
  await parts.db.close();
  expect(complaints).toEqual([]);
  expect(seen.lines).toBeGreaterThan(200);
  expect(seen.decided).toBeGreaterThan(0);
}, 300_000);
