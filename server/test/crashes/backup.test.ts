// A backup under load, the loss of the machine, and a restore. A slice of `npm run prove -- --only backup`.

import { expect } from "vitest";
import { backUpAndRestore } from "../scenarios/backup-run.ts";
import { unlessProving } from "../scenarios/scale.ts";
import { masterKey } from "../support/service.ts";
import { testUnless } from "../support/skippable.ts";

testUnless(unlessProving)(
  "a restored copy has every payout up to the last archived WAL, and pays only when released",
  async () => {
    const seen = await backUpAndRestore({ rounds: 1, masterKey });
    console.info(
      `${seen.acknowledged} payouts, ${seen.lost} not archived; backup ${seen.backupMs} ms, restores ${seen.restoreMs} ms, ` +
        `the last ${seen.lostMs} ms were lost`,
    );
    expect(seen.complaints).toEqual([]);
    expect(seen.acknowledged).toBeGreaterThan(60);
  },
);
