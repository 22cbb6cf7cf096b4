// PostgreSQL is stopped at once and restarted under a service that serves requests and delivers events.

import { randomBytes } from "node:crypto";
import { masterKeyBytes } from "../../server/src/platform/encryption/seal.ts";
import { restartDatabase } from "../../server/test/scenarios/database-restarts-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const databaseRestarts: Campaign = {
  promise:
    "while PostgreSQL is down, callers get 503 with Retry-After; after its restart no acknowledged payout and no event is lost",
  runs: 10,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const masterKey = randomBytes(masterKeyBytes);
  const seen = await restartDatabase({ restarts: runs, masterKey, onRestart: onRun });
  const { acknowledged, unavailable, received, repeats, missing, unknown, inversions } = seen;
  const spread = (ms: number[]) => ({ p50: percentile(ms, 0.5), max: Math.max(0, ...ms) });
  return {
    runs,
    steps: acknowledged,
    counts: {
      payouts: { acknowledged, "503 with Retry-After": unavailable },
      events: {
        ...{ received, repeats, missing: missing.length },
        ...{ "received without a commit": unknown.length },
        "out of order": inversions.length,
      },
      "ms from PostgreSQL's restart to ready": spread(seen.readyMs),
      "ms to the next payout": spread(seen.paidMs),
      "ms to the next event": spread(seen.receivedMs),
    },
    ...failureOf(seed, seen.complaints),
  };
}
