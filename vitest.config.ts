// Three groups: the house rules (seconds, no database), the client, and the service on real PostgreSQL.

import { defineConfig } from "vitest/config";

// Tests of a file run in an order that the seed decides. DISBURSE_TEST_SEED repeats the order of an earlier run.
const seed = Number(process.env.DISBURSE_TEST_SEED) || 1 + Math.floor(Math.random() * 999_999);
const client = new URL("./client/src/index.ts", import.meta.url).pathname;

export default defineConfig({
  test: {
    // Much of a test is waiting: for a process to start, a lease to end, a disk.
    maxWorkers: 4,
    // Each file starts a database and services of its own; what they import is loaded once by a worker, not by every file.
    isolate: false,
    reporters: ["default", "./server/test/skipped-reporter.ts"],
    sequence: { seed, shuffle: { files: false, tests: true } },
    projects: [
      { test: { name: "tidy", include: ["server/test/tidy.test.ts"] } },
      { test: { name: "client", include: ["client/test/**/*.test.ts"], testTimeout: 30_000 } },
      {
        resolve: { alias: { "@disburse/client": client } },
        test: {
          name: "server",
          include: ["server/test/**/*.test.ts"],
          exclude: ["server/test/tidy.test.ts"],
          globalSetup: "server/test/database.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
