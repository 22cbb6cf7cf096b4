// Bad endpoints: each event gets the right outcome and retry time, and its lane the right backoff.

import { expect, onTestFinished, test } from "vitest";
import { poster } from "../../src/delivery/http-client/post.ts";
import { dnsMs, openBadEndpoints, reaching } from "../support/bad-endpoints.ts";
import { deliverToBadEndpoints } from "../support/bad-endpoints-delivered.ts";
import { newDatabase } from "../support/service.ts";

test("a new event, a retry and a probe are delivered to every bad endpoint as expected", async () => {
  const times = { totalMs: 3_000, soonMs: 800, lateMs: 6_000 };
  const servers = await openBadEndpoints(times);
  onTestFinished(servers.close);
  const { db, seal } = await newDatabase();
  const posting = poster({
    ...reaching(servers.dnsAddress),
    timeouts: { totalMs: times.totalMs, dnsMs, connectMs: 2_000, tlsMs: 2_000 },
  });
  const parts = { db, seal, poster: posting, timeoutMs: 20_000 };
  const { cases, wrong } = await deliverToBadEndpoints(parts, servers.endpoints);
  await posting.close();
  await db.close();
  expect(wrong).toEqual([]);
  expect(cases).toBeGreaterThan(34 * 3);
}, 40_000);
