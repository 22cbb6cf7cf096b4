// kill -9 while receivers are screened against new versions of a list.

import { ensureInstallation } from "../../server/src/tenants/installation/installation.ts";
import { killScreening } from "../../server/test/scenarios/screening-kills-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const screeningKills: Campaign = {
  promise:
    "while processes are killed that screen 100,000 receivers again, each receiver is screened against the whole list, and its hits are those of a screening from scratch",
  runs: 20,
  longRuns: 200,
  prove,
};

const receivers = 100_000;
const plantedEvery = 500;

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  return postgres.withDatabase(async ({ db, seal, url }) => {
    await ensureInstallation(db, seal);
    const size = { receivers, plantedEvery, kills: runs, seed };
    const seen = await killScreening({ db, seal, url, ...size, onKill: onRun });
    return {
      runs,
      steps: receivers * seen.versions,
      counts: {
        "kills -9": {
          "of a process that screens": seen.killed,
          "of these, while a part was screened": seen.killedInTheMiddle,
        },
        screened: {
          receivers: seen.receivers,
          "versions of the list": seen.versions,
          "open hits in the end, as from scratch": seen.hits,
        },
      },
      ...failureOf(seed, seen.complaints),
    };
  });
}
