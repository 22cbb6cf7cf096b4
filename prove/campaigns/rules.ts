// Rules against a plain model: random histories with calls at the same time.

import { newRuleRunCounts, runRuleHistory } from "../../server/test/scenarios/rules-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

/** Histories that share a database. They come one after the other, because rules are of the whole installation. */
const groupRuns = 100;

export const rules: Campaign = {
  promise:
    "for random rules and histories with calls at the same time, every payout is refused, held, approved and released as a plain model predicts",
  runs: 2_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const counts = newRuleRunCounts();
  const said: string[] = [];
  let done = 0;
  while (done < runs && said.length === 0) {
    await postgres.withDatabase(async (parts) => {
      for (let n = 0; n < groupRuns && done < runs; n += 1) {
        try {
          await runRuleHistory(parts, { seed: seed + done }, counts);
        } catch (error) {
          said.push(`history of seed ${seed + done}: ${(error as Error).message}`);
          return;
        }
        done += 1;
        onRun(done);
      }
    });
  }
  const steps = Object.values(counts.acts).reduce((all, one) => all + one, 0);
  return { runs: done, steps, counts, ...failureOf(seed, said) };
}
