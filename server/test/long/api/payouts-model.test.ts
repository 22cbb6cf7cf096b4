// Random histories of payouts: money, stages and events are as a plain model predicts.
// A slice of `npm run prove`, which makes many more runs.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newRunCounts, runSteps } from "../../scenarios/payouts-model-run.ts";
import { stepsOf } from "../../scenarios/payouts-model-steps.ts";
import { newDatabase } from "../../support/service.ts";

let parts: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  parts = await newDatabase();
});
afterAll(() => parts.db.close());

test("the service and the model agree after every step of random payout histories", async () => {
  const counts = newRunCounts();
  await fc.assert(
    fc.asyncProperty(stepsOf(25), (steps) => runSteps(parts, steps, counts)),
    // Ends before the test's timeout, so that a failure is reported with the shortest history that was found.
    { numRuns: 60, seed: 7, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
  const { steps, outcomes } = counts;
  console.info(`${steps} steps, all as the model says`);
  // The runs reached enough stages and outcomes to be meaningful.
  for (const name of [
    "created",
    "no-funds",
    "duplicate",
    "same answer again",
    "approved",
    "died",
  ]) {
    expect(outcomes[name], name).toBeGreaterThan(5);
  }
});
