// Backups under payouts, the loss of the machine at a random moment, and restores to the end and to a time.

import { randomBytes } from "node:crypto";
import { masterKeyBytes } from "../../server/src/seal.ts";
import { backUpAndRestore } from "../../server/test/scenarios/backup-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const backup: Campaign = {
  promise:
    "a restored copy has every payout that was acknowledged up to the last archived WAL, its books balance, its audit log is whole, and it pays only after its release",
  runs: 8,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const masterKey = randomBytes(masterKeyBytes);
  const seen = await backUpAndRestore({ rounds: runs, masterKey, onRound: onRun });
  const { acknowledged, lost } = seen;
  const spread = (ms: number[]) => ({ p50: percentile(ms, 0.5), max: Math.max(0, ...ms) });
  return {
    runs,
    steps: acknowledged,
    counts: {
      payouts: { acknowledged, "lost, because they were not archived yet": lost },
      "ms before the loss that could not be restored": spread(seen.lostMs),
      "ms of a backup under load": spread(seen.backupMs),
      "ms of a restore with its verification": spread(seen.restoreMs),
    },
    ...failureOf(seed, seen.complaints),
  };
}
