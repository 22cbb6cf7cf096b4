// Bad endpoints: each event gets the right outcome and retry time, and its lane the right backoff.

import { expect, onTestFinished, test } from "vitest";
import { openBadEndpoints } from "../../support/bad-endpoints.ts";
import { deliverToBadEndpoints } from "../../support/bad-endpoints-delivered.ts";
import { posterToBadEndpoints, shortTimes } from "../../support/bad-endpoints-poster.ts";
import { newDatabase } from "../../support/service.ts";

test("a new event, a retry and a probe are delivered to every bad endpoint as expected", async () => {
  const servers = await openBadEndpoints(shortTimes);
  onTestFinished(servers.close);
  const { db, seal } = await newDatabase();
  const poster = posterToBadEndpoints(servers);
  const parts = { db, seal, poster, timeoutMs: 150_000 };
  const { cases, wrong } = await deliverToBadEndpoints(parts, servers.endpoints);
  await poster.close();
  await db.close();
  expect(wrong).toEqual([]);
  expect(cases).toBeGreaterThan(34 * 3);
});
