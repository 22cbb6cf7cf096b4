// kill -9 of delivery workers, while transactions commit and roll back.

import { killWorkers } from "../../server/test/scenarios/worker-kills-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const eventsPerKill = 420;

export const workerKills: Campaign = {
  promise:
    "while workers are killed, every committed event is received, no other, and those of each payout in order",
  runs: 60,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = {
    ...{ lanes: 50, payouts: 5_000, events: runs * eventsPerKill, kills: runs, seed },
    refusedShare: 0.003,
    onKill: onRun,
  };
  const seen = await postgres.withDatabase((parts) => killWorkers(parts, options));
  const { committed, rolledBack, received, refused, repeats, repeatsMax, takeoverMs, complaints } =
    seen;
  return {
    runs,
    steps: committed,
    counts: {
      events: {
        ...{
          "committed and received": committed - seen.missing.length,
          missing: seen.missing.length,
        },
        ...{ "rolled back": rolledBack, "received without a commit": seen.unknown.length },
        ...{ "out of order": seen.inversions.length, altered: seen.altered.length },
      },
      requests: { received, refused, repeats, "repeats allowed": repeatsMax },
      "ms from a kill to the next event of a lane": {
        ...{ p50: percentile(takeoverMs, 0.5), p90: percentile(takeoverMs, 0.9) },
        ...{ max: Math.max(0, ...takeoverMs), lanes: takeoverMs.length },
      },
    },
    ...failureOf(seed, complaints),
  };
}
