// Ten dead endpoints of a hundred, each with many waiting events.

import { loadavg } from "node:os";
import { starve } from "../../server/test/scenarios/starvation-run.ts";
import { percentile } from "../../server/test/support/delivery-check.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const p99MsMax = 200;
const requestsMax = 20;
const perSecond = 200;

export const starvation: Campaign = {
  promise: `beside dead endpoints, live ones get events within ${p99MsMax} ms (p99), and dead ones get at most ${requestsMax} requests a minute`,
  /** Seconds. */
  runs: 60,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const load = Math.round((loadavg()[0] ?? 0) * 100);
  const options = {
    live: 90,
    dead: 10,
    backlog: 100_000,
    perSecond,
    aloneS: 10,
    besideS: runs,
    onSecond: (seconds: number) => onRun(Math.min(runs, Math.floor(seconds))),
  };
  const seen = await postgres.withDatabase((parts) => starve(parts, options));
  const spread = (ms: number[]) => ({
    p50: percentile(ms, 0.5),
    p90: percentile(ms, 0.9),
    p99: percentile(ms, 0.99),
    max: Math.max(0, ...ms),
  });
  const [alone, beside] = [spread(seen.aloneMs), spread(seen.besideMs)];
  const said = [...seen.complaints];
  if (seen.missing > 0) said.push(`${seen.missing} events to live endpoints were not received`);
  if (beside.p99 > p99MsMax) {
    said.push(
      `p99 is ${beside.p99} ms; without dead endpoints it was ${alone.p99} ms on this machine`,
    );
  }
  for (const [name, requests] of Object.entries(seen.deadRequests)) {
    if (requests > requestsMax)
      said.push(`an endpoint that ${name}, got ${requests} requests in a minute`);
  }
  return {
    runs,
    steps: seen.committed,
    counts: {
      "ms from commit to response, without dead endpoints": alone,
      "ms from commit to response, beside ten dead endpoints with 100,000 events each": beside,
      "requests to a dead endpoint in its worst minute": seen.deadRequests,
      events: { committed: seen.committed, missing: seen.missing, "per second": perSecond },
      machine: { "load before, in hundredths": load },
    },
    ...failureOf(seed, said),
  };
}
