// A busy subaccount moves back and forth between two cells.

import { randomBytes } from "node:crypto";
import { masterKeyBytes } from "../../server/src/platform/encryption/seal.ts";
import { runMoves } from "../../server/test/scenarios/moves-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const moves: Campaign = {
  promise:
    "while a busy subaccount moves between cells, no payout, event or cent is lost or doubled, and events keep their order",
  runs: 50,
  prove,
};

/** The subaccount grows with every payout, and each move takes all of it along. */
const callerPauseMs = 800;

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const masterKey = randomBytes(masterKeyBytes);
  const callers = { callers: 8, callerPauseMs };
  const seen = await runMoves({ ...callers, moves: runs, masterKey, onMove: onRun });
  const { acknowledged, unavailable, received, repeats, missing, unknown, inversions } = seen;
  const spread = (ms: number[]) => ({ p50: percentile(ms, 0.5), max: Math.max(0, ...ms) });
  return {
    runs,
    steps: acknowledged,
    counts: {
      payouts: { acknowledged, "503 with Retry-After": unavailable },
      events: {
        ...{ received, repeats, missing: missing.length },
        ...{ "received without a commit": unknown.length },
        "out of order": inversions.length,
      },
      "ms from the freeze until the target works": spread(seen.pauseMs),
      "ms between two payouts around a move": spread(seen.clientPauseMs),
      "rows of the subaccount": { "largest move": seen.rowsMax },
    },
    ...failureOf(seed, seen.complaints),
  };
}
