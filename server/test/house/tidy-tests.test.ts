// The rules of the tests themselves. CONTRIBUTING.md gives the reasons.

import { dirname, join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { testClasses } from "./test-classes.ts";
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
    "server/test/service/delivery/delivery-accidents.test.ts":
      "that nothing is sent or announced for a while",
    "server/test/service/delivery/delivery.test.ts": "that a lane is not taken again for a while",
    "server/test/service/delivery/event-feed.test.ts":
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

test("the folder of a test file says what the file needs", () => {
  const folderOf = (file: string) =>
    Object.entries(testClasses)
      .filter(([, { files }]) => files.some((glob) => matchesGlob(file, glob)))
      .map(([name]) => name)
      .join();
  const wrong = tests.flatMap((file) => {
    const needs = needOf(file);
    const folder = folderOf(file);
    return (folders[needs] as string[]).includes(folder) ? [] : [`${file} needs: ${needs}`];
  });
  expect(wrong).toEqual([]);
});

/** What a file imports, also through other test files. The first that fits is what it needs. */
const needs = {
  browser: /^playwright-core$|\/support\/console-build\.ts$/,
  crashes: /\/support\/(own-postgres|postgres-servers|worker)\.ts$/,
  long: /\/scenarios\/[\w-]+-run\.ts$/,
  commands: /^node:child_process$|\/support\/programs\.ts$/,
  service: /^pg$|\/support\/clone-database\.ts$/,
};

/** The folders that suit a need. A campaign may also kill, and what is long by design may need little. */
const folders: Record<string, string[]> = {
  browser: ["browser"],
  crashes: ["crashes", "long"],
  long: ["crashes", "long"],
  commands: ["commands", "crashes", "long", "tidy"],
  service: ["service", "crashes", "long"],
  nothing: ["pure", "client", "long"],
};

function needOf(file: string): string {
  const imports = [...importsOf(file)];
  const found = Object.entries(needs).find(([, need]) => imports.some((name) => need.test(name)));
  return found?.[0] ?? "nothing";
}

/** The packages and test files that a test file imports, also through others. */
function importsOf(file: string, known = new Set<string>()): Set<string> {
  // A type is no code.
  const values = read(file).replaceAll(/^(?:import|export) type [^;]*;$/gm, "");
  for (const [, name] of values.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"([^"]+)"/gm)) {
    const path = name?.startsWith(".") ? join(dirname(file), name) : (name as string);
    if (known.has(path)) continue;
    known.add(path);
    if (files.includes(path) && /\/test\//.test(path)) importsOf(path, known);
  }
  return known;
}
