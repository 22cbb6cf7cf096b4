// Statements of a generator that knows the truth, imported by the service: is every line what it was matched with?

import { ensureInstallation } from "../../server/src/tenants/installation/installation.ts";
import { weekdaysOf } from "../../server/test/scenarios/statement-days.ts";
import { runStatements } from "../../server/test/scenarios/statements-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const statements: Campaign = {
  promise:
    "no statement line is matched wrongly, each is booked once, and at least 99 % of what can be matched is matched without a user",
  runs: 100_000,
  longRuns: 1_000_000,
  prove,
};

const month = "2026-10";
const payees = 120;

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  return postgres.withDatabase(async ({ db, seal }) => {
    await ensureInstallation(db, seal);
    const size = { lines: runs, days: weekdaysOf(month), payees, seed };
    const seen = await runStatements({ db, seal }, size, (done) => onRun(Math.min(done, runs)));
    const { lines, payouts, files, variants, matchable, matched, wrong, complaints } = seen;
    const count = (name: "lines" | "matchable" | "right") =>
      Object.fromEntries(
        Object.entries(variants)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([variant, counts]) => [variant, counts[name]]),
      );
    return {
      runs,
      steps: lines,
      counts: {
        "all lines": {
          lines,
          "that can be matched": matchable,
          "of these, matched without a user": matched,
          "matched wrongly": wrong,
        },
        "what was sent": { payouts },
        "files from banks": files,
        "lines by how they were made": count("lines"),
        "of these, can be matched": count("matchable"),
        "of these, matched as the truth says": count("right"),
      },
      ...failureOf(seed, complaints),
    };
  });
}
