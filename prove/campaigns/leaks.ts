// Sends canaries along every path, and searches for them in every place that others may read.

import { seekLeaks } from "../../server/test/scenarios/leaks-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const leaks: Campaign = {
  promise:
    "no secret, signature or personal data is in logs, metrics, attempts, refusals or process arguments",
  runs: 3,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const searched: Record<string, number> = {};
  const answers: Record<string, number> = {};
  const hits: string[] = [];
  let canaries = 0;
  for (let run = 1; run <= runs; run += 1) {
    const seen = await postgres.withDatabase(seekLeaks);
    for (const [from, to] of [
      [seen.searched, searched],
      [seen.answers, answers],
    ] as const) {
      for (const [name, count] of Object.entries(from)) to[name] = (to[name] ?? 0) + count;
    }
    canaries += seen.canaries;
    hits.push(...seen.hits);
    onRun(run);
  }
  return {
    runs,
    steps: canaries,
    counts: {
      canaries: { "searched for": canaries, found: hits.length },
      "characters searched": searched,
      "responses by status": answers,
    },
    ...failureOf(seed, hits),
  };
}
