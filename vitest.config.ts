// One project for each class of tests. `npm test` runs the quick ones; `npm run test:all` runs all, in fewer projects.

import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./server/test/house/long-files-first.ts";
import { fewProjects, testClasses } from "./server/test/house/test-classes.ts";

// The tests of a file run in the order that this seed decides; 0 keeps the order in which they are written.
const seed = Number(process.env.DISBURSE_TEST_SEED || 1 + Math.floor(Math.random() * 900_000));
if (!Number.isSafeInteger(seed) || seed < 0)
  throw new Error("DISBURSE_TEST_SEED is no seed: give a whole number.");
const classes = process.env.DISBURSE_FEW_PROJECTS === "1" ? fewProjects() : testClasses;
const client = new URL("client/src/index.ts", import.meta.url).pathname;

// How long a condition may take to come true, and a test to end. The machine may be busy, so these are no measures of
// speed: they end what hangs.
const patience = { poll: { timeout: 60_000 } };
const endMs = 300_000;

export default defineConfig({
  test: {
    // Much of a test is waiting: for a process to start, a lease to end, a disk.
    maxWorkers: 5,
    // Each file starts a database and services of its own; what they import is loaded once by a worker, not by every file.
    isolate: false,
    reporters: ["default", "./server/test/house/skipped-reporter.ts"],
    sequence: {
      seed,
      shuffle: { files: false, tests: seed > 0 },
      sequencer: LongFilesFirst,
    },
    projects: Object.entries(classes).map(([name, { files, setups }]) => ({
      ...(name === "client" ? {} : { resolve: { alias: { "@disburse/client": client } } }),
      test: {
        name,
        include: files,
        globalSetup: setups.map((file) => `server/test/support/${file}.ts`),
        testTimeout: endMs,
        hookTimeout: endMs,
        expect: patience,
      },
    })),
  },
});
