// The rules of the tests themselves. CONTRIBUTING.md gives the reasons.

import { expect, test } from "vitest";
import { filesByClass, importsOf, longByDesign } from "./test-classes.ts";
import { files, read } from "./tracked-files.ts";

const tests = files.filter((file) => /\.test\.tsx?$/.test(file));

test("a test waits for a condition, not for a time, unless a reason is listed here", () => {
  const trying = "kills at random moments, and callers who try again after a pause";
  const reasons: Record<string, string> = {
    "server/test/crashes/failover.test.ts": trying,
    "server/test/crashes/idempotency-kills.test.ts": trying,
    "server/test/crashes/kyc-kills.test.ts": trying,
    "server/test/crashes/payouts-kills.test.ts": trying,
    "server/test/crashes/races.test.ts": "measures for how long a revoked key is accepted",
    "server/test/crashes/shutdown.test.ts":
      "a second signal counts only after the echo of the first",
    "server/test/delivery/delivery-accidents.test.ts":
      "that nothing is sent or announced for a while",
    "server/test/delivery/delivery.test.ts": "that a lane is not taken again for a while",
    "server/test/delivery/event-feed.test.ts":
      "that nothing is sent twice; a paused socket is not notified",
  };
  // A sleep in a loop with a condition is allowed, and so are timers of test servers and callers.
  const waits =
    /^(?!.*\bwhile \().*(?:\bawait sleep\(|\bsetTimeout\((?:resolve|done)\b|waitForTimeout\()/m;
  const waiting = tests.filter(
    (file) => file !== "server/test/house/tidy-tests.test.ts" && waits.test(read(file)),
  );
  expect(waiting).toEqual(Object.keys(reasons));
});

test("every test file is in one project, and the quick ones start no browser and no program", () => {
  const known = filesByClass();
  expect([...known.values()].flat().sort()).toEqual(tests);
  expect(longByDesign.filter((file) => !tests.includes(file))).toEqual([]);
  const machine = /^(playwright-core|node:child_process)$|\/support\/(console-build|programs)\.ts$/;
  const quick = [...(known.get("client") ?? []), ...(known.get("service") ?? [])];
  expect(quick.length).toBeGreaterThan(150);
  expect(quick.filter((file) => [...importsOf(file)].some((name) => machine.test(name)))).toEqual(
    [],
  );
});
