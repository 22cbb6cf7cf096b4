// A slice of `npm run prove -- --only noisy-neighbour`, which measures times. Here: what must hold on any machine.

import { afterAll, beforeAll, expect, test } from "vitest";
import { runNeighbours } from "../scenarios/noisy-neighbour-run.ts";
import { masterKey, newDatabase } from "../support/service.ts";
import type { ServiceParts } from "../support/worker.ts";

let parts: ServiceParts;
beforeAll(async () => {
  parts = { ...(await newDatabase()), masterKey };
});
afterAll(() => parts.db.close());

test("no payout and no read of a subaccount fails beside a noisy one", async () => {
  const options = { loops: 6, rows: 1_000, perSecond: 10, quietS: 1, loudS: 3 };
  const { beside, loudAnswers } = await runNeighbours(parts, options);
  expect(beside.failures).toEqual([]);
  expect(beside.payoutMs).toHaveLength(30);
  expect(beside.readMs).toHaveLength(30);
  for (const answer of Object.keys(loudAnswers)) expect(["200", "429", "503"]).toContain(answer);
});
