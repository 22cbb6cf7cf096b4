// kill -9 of workers in the middle of deliveries. A slice of `npm run prove -- --only worker-kills`.

import { expect, test } from "vitest";
import { killWorkers } from "../scenarios/worker-kills-run.ts";
import { percentile } from "../support/delivery-check.ts";
import { masterKey, newDatabase } from "../support/service.ts";

test("after kills of workers all committed events are received, in order and with few repeats", async () => {
  const parts = await newDatabase();
  try {
    const options = { lanes: 8, payouts: 60, events: 600, kills: 2, seed: 7, refusedShare: 0 };
    const seen = await killWorkers({ ...parts, masterKey }, options);
    console.info(
      `2 kills, ${seen.committed} events, ${seen.rolledBack} rolled back, ${seen.repeats} repeats; ` +
        `taken over after ${percentile(seen.takeoverMs, 0.5)} ms`,
    );
    expect(seen.complaints).toEqual([]);
    expect(seen.rolledBack).toBeGreaterThan(10);
  } finally {
    await parts.db.close();
  }
});
