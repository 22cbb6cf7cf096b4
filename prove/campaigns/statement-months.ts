// Months of statements with known truth, delivered in several formats, repeated, overlapping and out of order: is everything
// booked once, and does a month close only when all is explained?

import { ensureInstallation } from "../../server/src/tenants/installation/installation.ts";
import {
  monthsInDatabase,
  noMonthsSeen,
  runMonths,
} from "../../server/test/scenarios/statement-months-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const statementMonths: Campaign = {
  promise:
    "each deposit funds once and each return is booked once, whatever the bank delivers, and a month closes only when nothing is unexplained or overdue",
  runs: 1_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const seen = noMonthsSeen();
  for (let done = 0; done < runs; done += monthsInDatabase) {
    await postgres.withDatabase(async ({ db, seal }) => {
      await ensureInstallation(db, seal);
      const months = Math.min(monthsInDatabase, runs - done);
      await runMonths({ db, seal }, { seed: seed + done, months }, seen);
    });
    onRun(Math.min(runs, done + monthsInDatabase));
  }
  const sorted = (counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    runs: seen.months,
    steps: seen.movements,
    counts: {
      deliveries: sorted(seen.deliveries),
      "decisions of users": sorted(seen.decisions),
      "why closing was refused": sorted(seen.refusals),
    },
    ...failureOf(seed, seen.complaints),
  };
}
