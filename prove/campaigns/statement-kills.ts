// kill -9 during the import of statements and during decisions about their lines.

import { ensureInstallation } from "../../server/src/tenants/installation/installation.ts";
import { weekdaysOf } from "../../server/test/scenarios/statement-days.ts";
import { killStatements } from "../../server/test/scenarios/statement-kills-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const statementKills: Campaign = {
  promise:
    "while processes are killed that apply the same statement or decide about the same lines, each line is kept and booked once, and the books balance",
  runs: 50,
  longRuns: 500,
  prove,
};

const month = "2026-10";
/** Enough lines that an import takes some time. */
const linesPerKill = 200;

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  return postgres.withDatabase(async ({ db, seal, url, masterKey }) => {
    await ensureInstallation(db, seal);
    const size = { lines: runs * linesPerKill, days: weekdaysOf(month), payees: 60, seed };
    const parts = { db, seal, url, masterKey };
    const seen = await killStatements({ ...parts, size, kills: runs, onKill: onRun });
    const { killed, lines, files, decided, matchable, matched, wrong, complaints } = seen;
    return {
      runs,
      steps: lines,
      counts: {
        "kills -9": {
          "of a process that applies a statement": killed.apply,
          "of a process that gives charges to the company": killed.decide,
          "of a process that undoes that": killed.undo,
        },
        "files from banks": files,
        lines: {
          "each kept once": lines,
          "that can be matched": matchable,
          "of these, matched without a user": matched,
          "charges, each booked once": decided,
          "matched wrongly": wrong,
        },
      },
      ...failureOf(seed, complaints),
    };
  });
}
