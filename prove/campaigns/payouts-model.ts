// Payouts against a plain model: thousands of random histories, compared after every step.

import fc from "fast-check";
import { say } from "../../bench/progress.ts";
import { newRunCounts, runSteps } from "../../server/test/scenarios/payouts-model-run.ts";
import { type Step, stepsOf } from "../../server/test/scenarios/payouts-model-steps.ts";
import type { Campaign, CampaignParts, Failure, Proved } from "../campaign.ts";

const stepsAverage = 50;
/** Runs that share a database. Few, because the books of all of them are verified often. */
const groupRuns = 20;
const lanes = 2;
/** A group takes seconds; the search for the shortest counterexample ends here. */
const groupMsMax = 120_000;

export const payoutsModel: Campaign = {
  promise:
    "for random histories of payouts, money, stages and events are as a plain model predicts",
  runs: 2_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const counts = newRunCounts();
  let done = 0;
  let group = 0;
  let isShrinking = false;
  let failure: Failure | undefined;

  async function proveGroup(numRuns: number, groupSeed: number): Promise<void> {
    const details = await postgres.withDatabase((parts) =>
      fc.check(
        fc.asyncProperty(stepsOf(stepsAverage), async (steps) => {
          await runSteps(parts, steps, counts).catch((error) => {
            if (!isShrinking) say("found a difference; searching for the shortest counterexample");
            isShrinking = true;
            throw error;
          });
          if (isShrinking) return;
          done += 1;
          onRun(done);
        }),
        {
          numRuns,
          seed: groupSeed,
          interruptAfterTimeLimit: groupMsMax,
          markInterruptAsFailure: true,
        },
      ),
    );
    if (details.failed) failure = toFailure(details);
  }

  async function lane(): Promise<void> {
    while (!isShrinking && group * groupRuns < runs) {
      const first = group * groupRuns;
      group += 1;
      // The seeds count up, so that a single group can be repeated.
      await proveGroup(Math.min(groupRuns, runs - first), seed + group - 1);
    }
  }

  await Promise.all(Array.from({ length: lanes }, lane));
  const { steps, commands, outcomes, ways } = counts;
  return { runs: done, steps, counts: { commands, outcomes, ways }, ...(failure && { failure }) };
}

function toFailure({ seed, counterexample, errorInstance }: fc.RunDetails<[Step[]]>): Failure {
  const error = errorInstance instanceof Error ? errorInstance.message : "out of time";
  return { seed, counterexample: counterexample?.[0], error };
}
