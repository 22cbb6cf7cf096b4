// SIGTERM under load. A slice of `npm run prove -- --only graceful-ends`.

import { expect, test } from "vitest";
import { endGracefully } from "../scenarios/graceful-ends-run.ts";
import { masterKey, newDatabase } from "../support/service.ts";

test("when a process stops, no request fails and no event is lost", async () => {
  const parts = await newDatabase();
  try {
    const seen = await endGracefully({ ...parts, masterKey }, { ends: 1 });
    console.info(
      `${seen.acknowledged} payouts through 1 end, ${seen.received} events, ${seen.refused} refused connections; ` +
        `exit after ${seen.exitMs} ms`,
    );
    expect(seen.complaints).toEqual([]);
  } finally {
    await parts.db.close();
  }
});
