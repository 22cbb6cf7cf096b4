// Ten thousand payouts, one in a hundred of which can't be built for the bank.

import { payPoisoned } from "../../server/test/scenarios/poisoned-payouts-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const poisonedPayouts: Campaign = {
  promise:
    "with one payout in a hundred poisoned, every other is paid and every poisoned one is set aside with its reason",
  /** Payouts. */
  runs: 10_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { payouts: runs, oneIn: 100, seed };
  const seen = await postgres.withDatabase((parts) => payPoisoned(parts, options));
  onRun(runs);
  const counts = { payouts: seen.counts };
  return { runs, steps: runs, counts, ...failureOf(seed, seen.complaints.slice(0, 20)) };
}
