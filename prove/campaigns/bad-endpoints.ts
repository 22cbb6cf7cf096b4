// One process posts to every kind of bad endpoint at once, with the real timeouts.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { limits } from "../../server/src/platform/limits/limits.ts";
import { poster } from "../../server/src/webhooks/http-client/post.ts";
import { badEndpoints, difference, reaching } from "../../server/test/support/bad-endpoints.ts";
import { deliverToBadEndpoints } from "../../server/test/support/bad-endpoints-delivered.ts";
import { startBadEndpoints } from "../../server/test/support/bad-endpoints-process.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";

const times = {
  totalMs: limits.postTotalMs,
  soonMs: limits.postTotalMs - 100,
  lateMs: limits.postTotalMs + 100,
};
const slotMsMax = 16_000;
const growthMbMax = 20;
/** At once, so that a lane has several connections to the endpoint. */
const callsPerLane = 3;
const sampleMs = 500;
const mb = 1024 * 1024;

export const badEndpointsCampaign: Campaign = {
  promise:
    "every call to a bad endpoint ends in time with the right outcome, takes no memory, and its event is retried when it should be",
  runs: 4,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const expectedOf = new Map(badEndpoints.map(({ name, expected }) => [name, expected]));
  const servers = await startBadEndpoints(times);
  const posting = poster(reaching(servers.dnsAddress, limits.postDnsMs));
  const { post, close } = posting;
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  let slowestMs = 0;
  let steps = 0;

  async function call(name: string, url: string): Promise<void> {
    const startMs = performance.now();
    const started = { "x-started": String(Date.now()) };
    const posted = await post({ lane: name, url, headers: { ...headers, ...started }, body });
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
    steps += 1;
    const outcome = `${posted.status ?? "none"} ${posted.failure ?? "answered"}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const found = difference(expectedOf.get(name) ?? {}, posted);
    if (found) wrong.push(`${name}: ${found}`);
  }

  async function round(): Promise<void> {
    const calls = servers.endpoints.flatMap(({ name, url }) =>
      Array.from({ length: callsPerLane }, () => call(name, url)),
    );
    await Promise.all(calls);
  }

  // The first round loads and compiles the code; memory is measured from then on.
  await round();
  onRun(1);
  const memory = watchMemory();
  for (let done = 1; done < runs; done += 1) {
    await round();
    onRun(done + 1);
  }
  const { peakMb, leftMb } = memory.stop();
  // Events delivered to the same endpoints: new ones, retries and probes.
  const delivered = await postgres.withDatabase((parts) =>
    deliverToBadEndpoints({ ...parts, poster: posting, timeoutMs: 60_000 }, servers.endpoints),
  );
  wrong.push(...delivered.wrong);
  const canaryHits = await servers.canaryHits();
  await close();
  await servers.close();

  if (slowestMs > slotMsMax) wrong.push(`a call took ${slowestMs} ms`);
  if (peakMb > growthMbMax) wrong.push(`memory grew by ${peakMb} MB`);
  if (canaryHits > 0) wrong.push(`${canaryHits} redirects were followed`);
  const measured = {
    endpoints: badEndpoints.length,
    "events delivered to them, new, retried and as probes": delivered.cases,
    "ms of the slowest call": Math.round(slowestMs),
    "MB of memory growth at the peak": peakMb,
    "MB of memory growth at the end": leftMb,
    "redirects followed": canaryHits,
  };
  const failure = wrong.length > 0 && {
    seed,
    counterexample: wrong.slice(0, 20),
    error: `${wrong.length} calls or measures are not as expected`,
  };
  return { runs, steps, counts: { outcomes, measured }, ...(failure && { failure }) };
}

const body = '{"event":"payoutUpdate","amount":12345}';
const headers = {
  "content-type": "application/json",
  "webhook-id": "evt_0192d9c4-6a8c-7b1e-9d3e-1f2a3b4c5d6e",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
};

/** Measures the memory of this process, without garbage. */
function watchMemory() {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const rssMb = () => process.memoryUsage.rss() / mb;
  collect();
  const startMb = rssMb();
  let peakMb = startMb;
  const timer = setInterval(() => {
    collect();
    peakMb = Math.max(peakMb, rssMb());
  }, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      collect();
      return { peakMb: Math.round(peakMb - startMb), leftMb: Math.round(rssMb() - startMb) };
    },
  };
}
