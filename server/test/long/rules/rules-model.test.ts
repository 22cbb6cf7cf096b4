// Random rules and histories of payouts: refused, held, approved and released as a plain model predicts.
// A slice of `npm run prove -- --only rules`, which makes many more runs.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newRuleRunCounts, runRuleHistory } from "../../scenarios/rules-run.ts";
import { newDatabase } from "../../support/service.ts";

let parts: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  parts = await newDatabase();
});
afterAll(() => parts.db.close());

test("the service and the model agree about random rules and histories", async () => {
  const counts = newRuleRunCounts();
  for (let seed = 1; seed <= 25; seed += 1) {
    await runRuleHistory(parts, { seed, calls: 24 }, counts).catch((error) => {
      throw new Error(`history of seed ${seed}: ${error.message}`, { cause: error });
    });
  }
  for (const name of ["queued", "on_hold", "awaiting_approval", "PAYO235", "approved"]) {
    expect(counts.outcomes[name], name).toBeGreaterThan(3);
  }
});
