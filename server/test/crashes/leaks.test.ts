// No secret and no personal data in places that others may read. The same search as `npm run prove -- --only leaks`.

import { expect, test } from "vitest";
import { seekLeaks } from "../scenarios/leaks-run.ts";
import { masterKey, newDatabase } from "../support/service.ts";

test("no secret, signature or personal data is in logs, metrics, attempts, refusals or process arguments", async () => {
  const parts = await newDatabase();
  try {
    const { hits, searched, canaries, answers } = await seekLeaks({ ...parts, masterKey });
    console.info(`${canaries} canaries; characters searched: ${JSON.stringify(searched)}`);
    expect(hits).toEqual([]);
    for (const [name, characters] of Object.entries(searched)) {
      expect(characters, name).toBeGreaterThan(40);
    }
    expect(answers[500]).toBeGreaterThan(0);
  } finally {
    await parts.db.close();
  }
});
