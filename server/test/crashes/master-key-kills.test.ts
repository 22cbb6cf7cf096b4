// A rotation of the data keys under load and kills. A slice of `npm run prove -- --only master-key`.

import { expect, test } from "vitest";
import { rotateUnderKills } from "../scenarios/master-key-run.ts";
import { masterKey, newDatabase } from "../support/service.ts";

test("kills of a rotation and of the service leave every value readable and none under an old key", async () => {
  const parts = await newDatabase();
  try {
    const options = { kills: 1, seed: 19, accounts: 50 };
    const seen = await rotateUnderKills({ ...parts, masterKey }, options);
    const { killed, rotations } = seen;
    console.info(
      `${seen.values.readable} values, ${seen.paid} payouts, ${seen.accountsRead} accounts read, ${seen.received} events; ` +
        `killed ${rotations.interrupted} rotations and ${killed.service} services; ${rotations.finished} rotations finished`,
    );
    expect(seen.complaints).toEqual([]);
  } finally {
    await parts.db.close();
  }
});
