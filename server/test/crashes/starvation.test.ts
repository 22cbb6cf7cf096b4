// Dead endpoints beside living ones. A slice of `npm run prove -- --only starvation` and of `--only drain`.

import { expect, onTestFinished, test } from "vitest";
import { drain } from "../scenarios/drain-run.ts";
import { starve } from "../scenarios/starvation-run.ts";
import { percentile } from "../support/delivery-check.ts";
import { masterKey, newDatabase } from "../support/service.ts";
import type { ServiceParts } from "../support/worker.ts";

/** A database for each test: waiting events of one would be delivered in the other. */
async function newParts(): Promise<ServiceParts> {
  const parts = { ...(await newDatabase()), masterKey };
  onTestFinished(() => parts.db.close());
  return parts;
}

test("a process delivers the events that wait at its start, once and in order", async () => {
  const seen = await drain(await newParts(), { events: 600, lanes: 10 });
  console.info(`600 events to 10 endpoints, ${seen.perSecond} a second`);
  expect(seen.complaints).toEqual([]);
});

test("beside dead endpoints with a backlog, live ones get every event, and dead ones few requests", async () => {
  const options = { live: 9, dead: 3, backlog: 2_000, perSecond: 60, aloneS: 0, besideS: 3 };
  const seen = await starve(await newParts(), options);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(seen.besideMs, share));
  console.info(`${seen.committed} events beside 3 dead endpoints: p50 ${p50} ms, p99 ${p99} ms`);
  expect(seen.missing).toBe(0);
  expect(seen.complaints).toEqual([]);
  for (const [name, requests] of Object.entries(seen.deadRequests)) {
    expect(requests, name).toBeGreaterThan(0);
    expect(requests, name).toBeLessThanOrEqual(20);
  }
});
