// npm run release-data: writes server/test/fixtures/data-<version>.sql with data that this version has made. Tests use it with
// every later version.

import { join } from "node:path";
import { startVitest } from "vitest/node";

const root = join(import.meta.dirname, "..", "..", "..");

const run = await startVitest(
  "test",
  [],
  {
    ...{ root, config: false, watch: false, testTimeout: 300_000 },
    include: ["server/test/support/release-data-story.ts"],
    globalSetup: ["server/test/support/database.ts"],
  },
  { resolve: { alias: { "@disburse/client": join(root, "client", "src", "index.ts") } } },
);
await run?.close();
