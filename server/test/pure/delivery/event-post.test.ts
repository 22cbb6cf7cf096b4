// One POST to every kind of bad endpoint: each outcome is a value.

import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import type { Posted, Poster } from "../../../src/webhooks/http-client/post.ts";
import {
  type BadEndpoints,
  badEndpoints,
  difference,
  type OpenedEndpoint,
  openBadEndpoints,
} from "../../support/bad-endpoints.ts";
import { posterToBadEndpoints, shortTimes } from "../../support/bad-endpoints-poster.ts";

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
  all = await openBadEndpoints(shortTimes);
  one = posterToBadEndpoints(all);
  async function postTwice({ name, url }: OpenedEndpoint): Promise<void> {
    const call = { lane: name, url, headers, body };
    // The second request may use the connection of the first.
    outcomes.set(name, [await one.post(call), await one.post(call)]);
  }
  // Calls with a short timeout go last, and without others, because the servers share this process.
  await Promise.all(all.endpoints.filter(({ tests }) => !tests).map(postTwice));
  await Promise.all(all.endpoints.filter(({ tests }) => tests).map(postTwice));
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
