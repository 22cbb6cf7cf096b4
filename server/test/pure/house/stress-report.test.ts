// The final reports of a run and of npm run stress-tests.

import { expect, test } from "vitest";
import { describeOrder, describeSkipped } from "../../house/skipped-reporter.ts";
import { type Failures, noteFailures, type RunResult, report } from "../../house/stress-report.ts";

function resultOf(failed: string[], message = ""): RunResult {
  const assertionResults = ["one", "two"].map((fullName) => ({
    fullName,
    status: failed.includes(fullName) ? "failed" : "passed",
    failureMessages: failed.includes(fullName) ? [`no ${fullName}\n at line 1`] : [],
  }));
  const status = failed.length > 0 || message ? "failed" : "passed";
  return { testResults: [{ name: "a.test.ts", status, message, assertionResults }] };
}

test("failed tests are reported with count and seeds, most frequent first", () => {
  const failures: Failures = new Map();
  noteFailures(failures, 7, 1, resultOf(["one"]));
  noteFailures(failures, 8, 0, resultOf([]));
  noteFailures(failures, 9, 1, resultOf(["one", "two"]));
  expect(report(failures, 3).split("\n")).toEqual([
    "3 runs, 2 tests failed:",
    "2 of 3: a.test.ts > one",
    "   seeds 7, 9; no one",
    "1 of 3: a.test.ts > two",
    "   seeds 9; no two",
    "DISBURSE_TEST_SEED=<seed> npm run test:all repeats the order of a run.",
  ]);
});

test("a file that can't be loaded and a run that ends early count as failures", () => {
  const failures: Failures = new Map();
  noteFailures(failures, 1, 1, resultOf([], "cannot find module"));
  noteFailures(failures, 2, 137, undefined);
  expect(report(failures, 2)).toContain("a.test.ts > (the file as a whole)\n   seeds 1; cannot");
  expect(report(failures, 2)).toContain("(the run as a whole)\n   seeds 2; vitest ended with 137");
});

test("runs without a failure are reported as such", () => {
  const failures: Failures = new Map();
  noteFailures(failures, 1, 0, resultOf([]));
  expect(report(failures, 1)).toBe("1 runs, no failure.");
});

test("skipped tests are listed under their reason", () => {
  const skipped = ["one", "two"].map((name) => ({ file: "a.test.ts", name, reason: "no curl" }));
  expect(describeSkipped(skipped).split("\n")).toEqual([
    " Skipped (2): no curl",
    "   a.test.ts > one",
    "   a.test.ts > two",
    "",
  ]);
});

test("a run prints the seed that repeats its order", () => {
  expect(describeOrder(7)).toBe(" Test order seed: 7. DISBURSE_TEST_SEED=7 repeats it.\n");
});
