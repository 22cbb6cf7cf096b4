// kill -9 of the service or of PostgreSQL of one cell, with payouts in both cells, behind HAProxy.

import { killCells } from "../../server/test/scenarios/cells-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import { missingCommands } from "../../server/test/support/missing-commands.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const cells: Campaign = {
  promise:
    "while the service or the database of one cell is killed, the other has no error, and no payout or event of either is lost",
  runs: 20,
  missing: () => missingCommands("haproxy"),
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const seen = await killCells({ kills: runs, seed, onKill: onRun });
  const { kills, acknowledged, unavailable, besideOutageMs, usualMs, backMs, events } = seen;
  const spread = (ms: number[]) => ({
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    max: Math.max(0, ...ms),
  });
  return {
    runs,
    steps: acknowledged,
    counts: {
      kills,
      payouts: {
        acknowledged,
        "acknowledged by the other cell": besideOutageMs.length,
        "503 with Retry-After from the killed cell": unavailable,
        "cut off in the killed cell": seen.cut,
        "errors in the other cell": seen.errorsBesideOutage,
      },
      events: {
        ...{ received: events.received, repeats: events.repeats },
        ...{ missing: events.missing.length, "out of order": events.inversions.length },
      },
      "ms of a payout, both cells up": spread(usualMs),
      "ms of a payout in the other cell": spread(besideOutageMs),
      "ms from a kill until every caller of the cell is served": spread(backMs),
    },
    ...failureOf(seed, seen.complaints),
  };
}
