// kill -9 of processes that screen receivers again. A slice of `npm run prove -- --only screening-kills`.

import { expect, test } from "vitest";
import { killScreening } from "../scenarios/screening-kills-run.ts";
import { newDatabase } from "../support/service.ts";

test("after kills every receiver is screened against the whole list", async () => {
  const parts = await newDatabase();
  const size = { receivers: 2_000, plantedEvery: 100, kills: 2, seed: 17 };
  const { complaints, ...seen } = await killScreening({ ...parts, ...size });
  await parts.db.close();
  expect(complaints).toEqual([]);
  expect(seen.killed).toBe(2);
  expect(seen.hits).toBeGreaterThan(0);
}, 300_000);
