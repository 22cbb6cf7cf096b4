// The programs that tests start as processes.

import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..", "..");

/** Their sources, by name. */
export const programs = {
  main: "server/src/doors/cli/main.mjs",
  "bank-clerk": "server/test/scenarios/bank-clerk-process.ts",
  "statement-clerk": "server/test/scenarios/statement-clerk-process.ts",
  "screening-worker": "server/test/scenarios/screening-worker-process.ts",
};

/** Names the folder of the bundled programs. The campaigns have none, and start the sources. */
export const folderVariable = "DISBURSE_TEST_PROGRAMS";

export function programPath(name: keyof typeof programs): string {
  const folder = process.env[folderVariable];
  return folder ? join(folder, `${name}.mjs`) : join(root, programs[name]);
}
