// One user of each role tries to send money above the threshold alone.

import { actsMax, tryAlone } from "../../server/test/scenarios/four-eyes-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const fourEyes: Campaign = {
  promise: `one user of any role can't send a payout, or make or move a live balance, above the threshold in up to ${actsMax} actions`,
  /** Sequences of actions. */
  runs: 5_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { sequences: runs, seed, onSequence: onRun };
  const seen = await postgres.withDatabase((parts) => tryAlone(parts, options));
  const said = seen.complaints.map((one) => JSON.stringify(one));
  // An action that never succeeded proves nothing, apart from approving, confirming and releasing alone, and from what only
  // the command line of the server does: these must never succeed.
  for (const act of Object.keys(seen.tried)) {
    if (!seen.done[act] && !/^(approve|confirm|release|fund by a command)/.test(act))
      said.push(`never done: ${act}`);
  }
  const steps = Object.values(seen.tried).reduce((all, one) => all + one, 0);
  const counts = { tried: seen.tried, done: seen.done, "sent to the bank": seen.left };
  return { runs, steps, counts, ...failureOf(seed, said.slice(0, 20)) };
}
