// Backtests against recorded histories: random payouts under random rules, each rule and each figure compared.

import { compareHistory } from "../../server/test/scenarios/backtest-compare.ts";
import { recordHistory } from "../../server/test/scenarios/backtest-history.ts";
import { drawOf } from "../../server/test/scenarios/seeded-draw.ts";
import type { Campaign, CampaignParts, Failure, Proved } from "../campaign.ts";

const steps = 60;
/** Histories that share a database. */
const groupRuns = 25;

export const backtest: Campaign = {
  promise: "a backtest of the rules in force says exactly what they did to every recorded payout",
  runs: 500,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const compared = { payouts: 0, "rules that applied": 0 };
  const acts: Record<string, number> = {};
  let done = 0;
  let failure: Failure | undefined;
  while (done < runs && !failure) {
    await postgres.withDatabase(async ({ db, seal }) => {
      for (const last = Math.min(runs, done + groupRuns); done < last && !failure; done += 1) {
        const runSeed = seed + done;
        try {
          const history = await recordHistory({ db, seal }, drawOf(runSeed), { steps });
          const { payouts, matches } = await compareHistory(db, history);
          compared.payouts += payouts;
          compared["rules that applied"] += matches;
          for (const [act, count] of Object.entries(history.counts))
            acts[act] = (acts[act] ?? 0) + count;
          onRun(done + 1);
        } catch (error) {
          failure = { seed: runSeed, counterexample: { seed: runSeed }, error: String(error) };
        }
      }
    });
  }
  return {
    runs: done,
    steps: done * steps,
    counts: { acts, compared },
    ...(failure && { failure }),
  };
}
