// PostgreSQL shut down at once under load. A slice of `npm run prove -- --only database-restarts`.

import { expect, test } from "vitest";
import { restartDatabase } from "../scenarios/database-restarts-run.ts";
import { masterKey } from "../support/service.ts";

test("when PostgreSQL restarts, no payout is lost and each has its event", async () => {
  const seen = await restartDatabase({ restarts: 1, masterKey });
  console.info(
    `${seen.acknowledged} payouts through 1 restart, ${seen.unavailable} times 503, ${seen.repeats} repeats; ` +
      `ready after ${seen.readyMs} ms, paid after ${seen.paidMs} ms, next event after ${seen.receivedMs} ms`,
  );
  expect(seen.complaints).toEqual([]);
  expect(seen.unavailable).toBeGreaterThan(0);
});
