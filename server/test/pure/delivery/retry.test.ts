// The outcome of each response, and the time of the next attempt.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideRetry,
  failureScoreMax,
  parseRetryAfter,
  stepMs,
} from "../../../src/webhooks/delivery/retry.ts";
import type { Posted } from "../../../src/webhooks/http-client/post.ts";

const nowMs = Date.UTC(2026, 10, 15, 12);
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const posted = (facts: Partial<Posted>): Posted => ({
  status: undefined,
  failure: undefined,
  detail: "",
  retryAfter: undefined,
  answer: "",
  tookMs: 1,
  ...facts,
});
const first = { attempt: 1, ageMs: 0, nowMs };

test("the pauses between attempts are the documented ones", () => {
  const steps = Array.from({ length: 12 }, (_, index) => stepMs(index + 1));
  expect(steps).toEqual([
    ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
    ...[hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 12 * hour, 12 * hour],
  ]);
});

test("each pause is up to a fifth shorter or longer", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const { retryAfterMs = 0 } = decideRetry(
          posted({ status: 500 }),
          { attempt, ageMs: 0, nowMs },
          random,
        );
        expect(retryAfterMs / stepMs(attempt)).toBeGreaterThanOrEqual(0.799);
        expect(retryAfterMs / stepMs(attempt)).toBeLessThanOrEqual(1.201);
      },
    ),
  );
});

test("over thirty days there are 68 attempts, then the event is abandoned", () => {
  let ageMs = 0;
  let attempt = 1;
  for (;;) {
    const { retryAfterMs } = decideRetry(posted({ status: 500 }), { attempt, ageMs, nowMs }, 0.5);
    if (retryAfterMs === undefined) break;
    ageMs += retryAfterMs;
    attempt += 1;
  }
  expect(attempt).toBe(68);
  expect(ageMs).toBeLessThanOrEqual(30 * day);
  expect(ageMs).toBeGreaterThan(29 * day);
});

describe("the outcome of a response", () => {
  test.each([
    [{ status: 200 }, "delivered", 0],
    [{ status: 204 }, "delivered", 0],
    [{ status: 299 }, "delivered", 0],
    [{ status: 200, failure: "timeout" }, "timeout", failureScoreMax],
    [{ status: 301 }, "redirected", 1],
    [{ status: 307 }, "redirected", 1],
    [{ status: 400 }, "refused_4xx", 1],
    [{ status: 404 }, "refused_4xx", 1],
    [{ status: 413 }, "refused_4xx", 1],
    [{ status: 410 }, "gone", failureScoreMax],
    [{ status: 429 }, "throttled", failureScoreMax],
    [{ status: 503 }, "throttled", failureScoreMax],
    [{ status: 500 }, "refused_5xx", 1],
    [{ status: 502 }, "refused_5xx", failureScoreMax],
    [{ status: 504 }, "refused_5xx", failureScoreMax],
    [{ failure: "dns" }, "dns", failureScoreMax],
    [{ failure: "connect" }, "connect", failureScoreMax],
    [{ failure: "tls" }, "tls", failureScoreMax],
    [{ failure: "cut" }, "cut", failureScoreMax],
    [{ failure: "malformed" }, "malformed", failureScoreMax],
    [{ failure: "forbidden" }, "forbidden", failureScoreMax],
  ] as const)("%j is %s and counts %i against the endpoint", (facts, outcome, failureScore) => {
    expect(decideRetry(posted(facts), first, 0.5)).toMatchObject({ outcome, failureScore });
  });

  test("the second refusal of an event does not count, a missing response does", () => {
    const again = { ...first, attempt: 2 };
    expect(decideRetry(posted({ status: 400 }), again, 0.5).failureScore).toBe(0);
    expect(decideRetry(posted({ failure: "connect" }), again, 0.5).failureScore).toBe(
      failureScoreMax,
    );
  });
});

describe("retry-after", () => {
  test.each([
    ["120", 120 * second],
    [" 0 ", 0],
    ["Sun, 15 Nov 2026 12:01:00 GMT", minute],
    ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
    ["Sunday, 15-Nov-26 12:01:00 GMT", minute],
    ["Thu, 01 Jan 2037 00:00:00 GMT", Date.UTC(2037, 0, 1) - nowMs],
    ["1.5", undefined],
    ["-5", undefined],
    ["1e3", undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
    ["2026-11-15T12:01:00Z", undefined],
    ["99999999999999999999", undefined],
  ])("%j", (header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected);
  });

  test.each([
    ["no sooner than the pause", 1, "1", 5 * second],
    ["as asked", 1, "8", 8 * second],
    ["no later than twice the pause", 1, "3600", 10 * second],
    ["no later than twelve hours", 9, String(10 * 365 * 24 * 3600), 12 * hour],
    ["the last pause does not grow", 20, String(10 * 365 * 24 * 3600), 12 * hour],
  ])("%s", (_what, attempt, retryAfter, expected) => {
    for (const status of [429, 503]) {
      const decision = decideRetry(
        posted({ status, retryAfter }),
        { attempt, ageMs: 0, nowMs },
        0.5,
      );
      expect(decision.retryAfterMs).toBe(expected);
    }
  });

  test("is ignored for statuses other than 429 and 503", () => {
    const decision = decideRetry(posted({ status: 500, retryAfter: "8" }), first, 0.5);
    expect(decision.retryAfterMs).toBe(5 * second);
  });
});
