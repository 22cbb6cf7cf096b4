// How fast waiting events are delivered. The rate depends on the machine, so only completeness and order must hold.

import { drain } from "../../server/test/scenarios/drain-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const floorPerSecond = 3_000;

export const drainBacklog: Campaign = {
  promise: "every waiting event is delivered once and in order",
  runs: 30_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { events: runs, lanes: 100, onReceived: onRun };
  const seen = await postgres.withDatabase((parts) => drain(parts, options));
  const { received, repeats, missing, inversions, perSecond } = seen;
  return {
    runs,
    steps: received,
    counts: {
      events: {
        ...{ received, "received twice": repeats, missing: missing.length },
        "out of order": inversions.length,
      },
      "per second": { delivered: perSecond, "floor on a quiet machine": floorPerSecond },
    },
    ...failureOf(seed, seen.complaints),
  };
}
