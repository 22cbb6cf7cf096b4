// Processes that serve requests and deliver events get SIGTERM one after the other, while another keeps running.

import { endGracefully } from "../../server/test/scenarios/graceful-ends-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const gracefulEnds: Campaign = {
  promise:
    "a process that gets SIGTERM cuts off no caller, delivers no event twice, and exits within 20 s",
  runs: 50,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const seen = await postgres.withDatabase((parts) =>
    endGracefully(parts, { ends: runs, onEnd: onRun }),
  );
  const { acknowledged, read, refused, received, repeats, missing, inversions, exitMs } = seen;
  return {
    runs,
    steps: acknowledged + read,
    counts: {
      calls: { "payouts created": acknowledged, read, "refused connections": refused },
      events: {
        ...{ received, "received twice": repeats, missing: missing.length },
        "out of order": inversions.length,
      },
      "ms to the exit": { p50: percentile(exitMs, 0.5), max: Math.max(0, ...exitMs) },
    },
    ...failureOf(seed, seen.complaints),
  };
}
