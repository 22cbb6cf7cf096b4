// Backups under payouts, the loss of the machine at a random moment, and restores to the end and to a time; and restores next
// to the running original, of which each is killed once.

import { randomBytes } from "node:crypto";
import { masterKeyBytes } from "../../server/src/platform/encryption/seal.ts";
import { backUpAndRestore } from "../../server/test/scenarios/backup-run.ts";
import { restoreNextToOriginal } from "../../server/test/scenarios/restore-next-to-original.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const backup: Campaign = {
  promise:
    "a restored copy has every payout that was acknowledged up to the last archived WAL, its books balance, its audit log is whole, and it pays only after its release; it is also restored next to its running original, and no command uses what a killed restore leaves",
  runs: 8,
  prove,
};

const restoresNextToOriginal = 10;

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const masterKey = randomBytes(masterKeyBytes);
  const seen = await backUpAndRestore({ rounds: runs, masterKey, onRound: onRun });
  const beside = await restoreNextToOriginal({ rounds: restoresNextToOriginal, masterKey });
  const { acknowledged, lost } = seen;
  const spread = (ms: number[]) => ({ p50: percentile(ms, 0.5), max: Math.max(0, ...ms) });
  return {
    runs,
    steps: acknowledged + beside.acknowledged,
    counts: {
      payouts: { acknowledged, "lost, because they were not archived yet": lost },
      "next to the running original": {
        "restored and whole": beside.restored,
        "killed restores that serve refused": beside.refused,
      },
      "ms before the loss that could not be restored": spread(seen.lostMs),
      "ms of a backup under load": spread(seen.backupMs),
      "ms of a restore with its verification": spread(seen.restoreMs),
    },
    ...failureOf(seed, [...seen.complaints, ...beside.complaints]),
  };
}
