// One person, of every role, who tries to get money above the threshold out alone.

import { actsMax, tryAlone } from "../../server/test/scenarios/four-eyes-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const fourEyes: Campaign = {
  promise: `one person, whatever their role, gets no payout above the threshold out in up to ${actsMax} acts`,
  /** Sequences of acts. */
  runs: 2_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { sequences: runs, seed, onSequence: onRun };
  const seen = await postgres.withDatabase((parts) => tryAlone(parts, options));
  const said = seen.complaints.map((one) => JSON.stringify(one));
  // Where the service did nothing, nothing was proved. Approving alone is what it must never do.
  for (const act of Object.keys(seen.tried)) {
    if (!seen.done[act] && !act.startsWith("approve")) said.push(`never done: ${act}`);
  }
  const steps = Object.values(seen.tried).reduce((all, one) => all + one, 0);
  const counts = { tried: seen.tried, done: seen.done, "sent to the bank": seen.left };
  return { runs, steps, counts, ...failureOf(seed, said.slice(0, 20)) };
}
