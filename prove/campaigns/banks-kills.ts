// kill -9 between the steps of bank files: freeze, approve, send, acknowledge, inbound.

import { randomBytes } from "node:crypto";
import { killBanks } from "../../server/test/scenarios/banks-kills-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const banksKills: Campaign = {
  promise:
    "while senders, clerks and PostgreSQL are killed, every payout is in one file at the bank, none is lost, every file is the approved one, and the books balance",
  runs: 50,
  longRuns: 500,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const seen = await killBanks({
    masterKey: randomBytes(32),
    kills: runs,
    seed,
    onKill: onRun,
  });
  const { killed, payouts, files, discarded, interrupted, inboundFiles, complaints } = seen;
  return {
    runs,
    steps: payouts,
    counts: {
      "kills -9": {
        "of a process that sends files": killed.worker,
        "of a process that freezes, approves and applies": killed.clerk,
        "of PostgreSQL": killed.database,
      },
      "bank files": {
        "at the bank": files,
        "tried more than once": interrupted,
        discarded,
        "from the bank": inboundFiles,
      },
      payouts: { "in exactly one file at the bank": payouts },
    },
    ...failureOf(seed, complaints),
  };
}
