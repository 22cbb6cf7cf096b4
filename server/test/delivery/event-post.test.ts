// One POST to every kind of bad endpoint: each outcome is a value.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Posted, type Poster, poster } from "../../src/delivery/http-client/post.ts";
import { limits } from "../../src/limits.ts";
import {
  type BadEndpoints,
  badEndpoints,
  difference,
  dnsMs,
  openBadEndpoints,
  reaching,
} from "../support/bad-endpoints.ts";

const times = { totalMs: 3_000, soonMs: 800, lateMs: 6_000 };
const timeouts = { totalMs: times.totalMs, dnsMs, connectMs: 2_000, tlsMs: 2_000 };
const body = '{"event":"payoutUpdate","amount":12345}';
const headers = {
  "content-type": "application/json",
  "webhook-id": "evt_0192d9c4-6a8c-7b1e-9d3e-1f2a3b4c5d6e",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
};

let all: BadEndpoints;
let one: Poster;
const outcomes = new Map<string, Posted[]>();

beforeAll(async () => {
  all = await openBadEndpoints(times);
  one = poster({ ...reaching(all.dnsAddress), timeouts });
  const waiting = [...all.endpoints];
  async function next(): Promise<void> {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const call = { lane: row.name, url: row.url, headers, body };
      // The second request may use the connection of the first.
      outcomes.set(row.name, [await one.post(call), await one.post(call)]);
    }
  }
  // Not all at once, because the servers share this process.
  await Promise.all(Array.from({ length: 16 }, next));
});

afterAll(async () => {
  await one.close();
  await all.close();
});

test.each(badEndpoints)("$name", ({ name, expected }) => {
  for (const posted of outcomes.get(name) as Posted[]) {
    expect(difference(expected, posted)).toBeUndefined();
    expect(Buffer.byteLength(posted.answer)).toBeLessThanOrEqual(limits.answerKeptBytesMax);
    expect(`${posted.detail}${posted.answer}`).not.toContain("K5oZfzN95Z9UVu1EsfQmfVNQ");
  }
});

test("no redirect was followed", () => {
  expect(all.canaryHits()).toBe(0);
});
