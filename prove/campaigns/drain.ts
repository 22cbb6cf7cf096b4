// How fast what waits is told. A figure, since it is the machine's as much as ours; what must hold is the rest.

import { drain } from "../../server/test/scenarios/drain-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const floorPerSecond = 3_000;

export const drainBacklog: Campaign = {
  promise: "what waits is told once and in order",
  runs: 30_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const wish = { events: runs, lanes: 100, onHeard: onRun };
  const seen = await postgres.withDatabase((parts) => drain(parts, wish));
  const { heard, repeats, missing, inversions, perSecond } = seen;
  return {
    runs,
    steps: heard,
    counts: {
      events: {
        ...{ heard, "heard twice": repeats, missing: missing.length },
        "before one that comes first": inversions.length,
      },
      "a second": { told: perSecond, "floor on a quiet machine": floorPerSecond },
    },
    ...failureOf(seed, seen.complaints),
  };
}
