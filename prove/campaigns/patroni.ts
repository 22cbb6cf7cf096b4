// Leaders of a Patroni cluster are killed and switched over under a service that serves requests and delivers events.

import { randomBytes } from "node:crypto";
import { masterKeyBytes } from "../../server/src/platform/encryption/seal.ts";
import { failOver, type GapsMs } from "../../server/test/scenarios/patroni-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import { missingPatroni } from "../../server/test/support/patroni-cluster.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

/** Of 13 runs, three are switchovers. */
const switchoverShare = 3 / 13;

export const patroni: Campaign = {
  promise:
    "while leaders of a Patroni cluster are killed and switched over, no acknowledged payout and no event is lost or doubled, and the books balance",
  runs: 13,
  missing: missingPatroni,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const switchovers = Math.round(runs * switchoverShare);
  const kills = runs - switchovers;
  const masterKey = randomBytes(masterKeyBytes);
  const seen = await failOver({ kills, switchovers, masterKey, onFailover: onRun });
  const { acknowledged, unavailable, received, repeats, missing, unknown, inversions } = seen;
  return {
    runs,
    steps: acknowledged,
    postgresql: seen.postgresql,
    counts: {
      failovers: { kills, switchovers },
      payouts: { acknowledged, "503 with Retry-After": unavailable },
      events: {
        ...{ received, repeats, missing: missing.length },
        ...{ "received without a commit": unknown.length },
        "out of order": inversions.length,
      },
      ...gapsOf("a kill", seen.killMs),
      ...gapsOf("a switchover", seen.switchoverMs),
      "ms, longest gap": seen.longestGapMs,
    },
    ...failureOf(seed, seen.complaints),
  };
}

function gapsOf(what: string, { haproxy, hosts, events }: GapsMs): Proved["counts"] {
  const spread = (ms: number[]) => ({ p50: percentile(ms, 0.5), max: Math.max(0, ...ms) });
  return {
    [`ms without a payout at ${what}, through HAProxy`]: spread(haproxy),
    [`ms without a payout at ${what}, with all nodes in DATABASE_URL`]: spread(hosts),
    [`ms without an event at ${what}`]: spread(events),
  };
}
