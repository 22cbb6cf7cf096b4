// What an answer means and when the next try is: the whole table.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Posted } from "../../src/delivery/http-client/post.ts";
import { decideRetry, failureScoreMax, retryAfterMs, stepMs } from "../../src/delivery/retry.ts";

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

test("the steps are those that are promised", () => {
  const steps = Array.from({ length: 12 }, (_, index) => stepMs(index + 1));
  expect(steps).toEqual([
    ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
    ...[hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 12 * hour, 12 * hour],
  ]);
});

test("each is up to a fifth shorter or longer", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const { againAfterMs = 0 } = decideRetry(
          posted({ status: 500 }),
          { attempt, ageMs: 0, nowMs },
          random,
        );
        expect(againAfterMs / stepMs(attempt)).toBeGreaterThanOrEqual(0.799);
        expect(againAfterMs / stepMs(attempt)).toBeLessThanOrEqual(1.201);
      },
    ),
  );
});

test("over thirty days there are 68 tries, then it rests", () => {
  let ageMs = 0;
  let attempt = 1;
  for (;;) {
    const { againAfterMs } = decideRetry(posted({ status: 500 }), { attempt, ageMs, nowMs }, 0.5);
    if (againAfterMs === undefined) break;
    ageMs += againAfterMs;
    attempt += 1;
  }
  expect(attempt).toBe(68);
  expect(ageMs).toBeLessThanOrEqual(30 * day);
  expect(ageMs).toBeGreaterThan(29 * day);
});

describe("what is said of an answer", () => {
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
  ] as const)("%j is %s and counts %i against the endpoint", (facts, outcome, failure_score) => {
    expect(decideRetry(posted(facts), first, 0.5)).toMatchObject({ outcome, failure_score });
  });

  test("what was refused before does not count again, what does not answer does", () => {
    const again = { ...first, attempt: 2 };
    expect(decideRetry(posted({ status: 400 }), again, 0.5).failure_score).toBe(0);
    expect(decideRetry(posted({ failure: "connect" }), again, 0.5).failure_score).toBe(
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
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });

  test.each([
    ["no sooner than the step", 1, "1", 5 * second],
    ["as asked", 1, "8", 8 * second],
    ["no later than twice the step", 1, "3600", 10 * second],
    ["nor than twelve hours", 9, String(10 * 365 * 24 * 3600), 12 * hour],
    ["the last step stays what it is", 20, String(10 * 365 * 24 * 3600), 12 * hour],
  ])("%s", (_what, attempt, retryAfter, expected) => {
    for (const status of [429, 503]) {
      const verdict = decideRetry(
        posted({ status, retryAfter }),
        { attempt, ageMs: 0, nowMs },
        0.5,
      );
      expect(verdict.againAfterMs).toBe(expected);
    }
  });

  test("is only heard where it means something", () => {
    const verdict = decideRetry(posted({ status: 500, retryAfter: "8" }), first, 0.5);
    expect(verdict.againAfterMs).toBe(5 * second);
  });
});
