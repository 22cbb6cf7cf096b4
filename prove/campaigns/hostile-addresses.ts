// Attempts to send events to private addresses: by saved URLs, DNS answers and redirects.

import { tryHostile } from "../../server/test/support/hostile-deliveries.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";

export const hostileAddresses: Campaign = {
  promise:
    "no URL, name, redirect or kept connection sends an event to an address that is not public",
  runs: 10,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const ways: Record<string, number> = {};
  const wrong: unknown[] = [];
  let steps = 0;
  let hits = 0;
  for (let done = 0; done < runs; done += 1) {
    const { canaryHits } = await tryHostile((tried) => {
      steps += 1;
      ways[tried.way] = (ways[tried.way] ?? 0) + 1;
      if (tried.problem) wrong.push(tried);
    });
    hits += canaryHits;
    onRun(done + 1);
  }
  const failure = (wrong.length > 0 || hits > 0) && {
    seed,
    counterexample: wrong.slice(0, 20),
    error: `${wrong.length} ways in, ${hits} connections to the canary`,
  };
  const outcomes = { refused: steps - wrong.length, "connections to the canary": hits };
  return { runs, steps, counts: { ways, outcomes }, ...(failure && { failure }) };
}
