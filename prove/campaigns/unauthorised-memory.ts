// The memory that unauthorised callers can take: large bodies, and made-up keys.

import { sendWithoutAuthority } from "../../server/test/scenarios/unauthorised-memory-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const bodyMibMax = 64;
const keyMibMax = 16;

export const unauthorisedMemory: Campaign = {
  promise: `500 unauthorised connections with bodies of 4 MiB raise the peak memory by at most ${bodyMibMax} MiB, and 100,000 made-up keys by at most ${keyMibMax} MiB`,
  /** Made-up keys. */
  runs: 100_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { calls: 1_000, connections: 500, bodyBytes: 4 * 1024 * 1024, keys: runs };
  const { answers, mib } = await postgres.withDatabase((parts) =>
    sendWithoutAuthority(parts, options),
  );
  onRun(runs);
  const said: string[] = [];
  if (mib["more by bodies"] > bodyMibMax) said.push(`bodies took ${mib["more by bodies"]} MiB`);
  if (mib["more by keys"] > keyMibMax) said.push(`keys took ${mib["more by keys"]} MiB`);
  const bad = Object.keys(answers).filter((what) => !/: (200|401|503|cut off)$/.test(what));
  for (const what of bad) said.push(`${what}, ${answers[what]} times`);
  return { runs, steps: runs + 1_500, counts: { MiB: mib, answers }, ...failureOf(seed, said) };
}
