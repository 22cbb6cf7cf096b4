// How fast what waits is told. A figure, since it is the machine's as much as ours; what must hold is the rest.

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
        "before one that comes first": inversions.length,
      },
      "a second": { delivered: perSecond, "floor on a quiet machine": floorPerSecond },
    },
    ...failureOf(seed, seen.complaints),
  };
}
