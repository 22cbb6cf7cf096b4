// One subaccount sends payout batches of 10,000 rows in 14 loops; another should hardly become slower.

import { loadavg } from "node:os";
import { runNeighbours } from "../../server/test/scenarios/noisy-neighbour-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const timesMax = 5;
const perSecond = 20;

export const noisyNeighbour: Campaign = {
  promise: `beside one subaccount's large payout batches, another's payouts and reads take at most ${timesMax} times as long (p99), and none fails`,
  /** Seconds. */
  runs: 60,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const load = Math.round((loadavg()[0] ?? 0) * 100);
  const options = {
    loops: 14,
    rows: 10_000,
    perSecond,
    quietS: 20,
    loudS: runs,
    onSecond: (seconds: number) => onRun(Math.min(runs, Math.floor(seconds))),
  };
  const { alone, beside, loudAnswers } = await postgres.withDatabase((parts) =>
    runNeighbours(parts, options),
  );
  const said: string[] = [];
  for (const kind of ["payoutMs", "readMs"] as const) {
    const [quiet, loud] = [percentile(alone[kind], 0.99), percentile(beside[kind], 0.99)];
    if (loud > quiet * timesMax) {
      const what = kind === "payoutMs" ? "payouts" : "reads";
      said.push(`p99 of ${what} is ${loud.toFixed(1)} ms; alone it was ${quiet.toFixed(1)} ms`);
    }
  }
  said.push(
    ...[...new Set(beside.failures)].map((one) => `the quiet subaccount was refused: ${one}`),
  );
  if ((loudAnswers["200"] ?? 0) === 0) said.push("no batch of the noisy subaccount was accepted");
  for (const answer of Object.keys(loudAnswers)) {
    if (!["200", "429", "503"].includes(answer)) said.push(`the noisy subaccount got ${answer}`);
  }
  return {
    runs,
    steps: beside.payoutMs.length + beside.readMs.length,
    counts: {
      "microseconds of a payout, alone": spread(alone.payoutMs),
      "microseconds of a payout, beside the noisy subaccount": spread(beside.payoutMs),
      "microseconds of a read, alone": spread(alone.readMs),
      "microseconds of a read, beside the noisy subaccount": spread(beside.readMs),
      "failures of the quiet subaccount": {
        alone: alone.failures.length,
        beside: beside.failures.length,
      },
      "responses to the noisy subaccount": loudAnswers,
      machine: { "load before, in hundredths": load },
    },
    ...failureOf(seed, said),
  };
}

function spread(ms: readonly number[]): Record<string, number> {
  const us = (share: number) => Math.round(percentile(ms, share) * 1000);
  return { p50: us(0.5), p90: us(0.9), p99: us(0.99), max: us(1) };
}
