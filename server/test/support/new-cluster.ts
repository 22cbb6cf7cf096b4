// The data folder of a new PostgreSQL: a copy of one that the run has made, because initdb takes a second.

import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Binaries } from "../../src/platform/embedded/embedded-binaries.ts";
import { initialise } from "../../src/platform/embedded/embedded-server.ts";

/** Names the data folder to copy. The campaigns have none. */
export const clusterVariable = "DISBURSE_TEST_CLUSTER";
const passwordFile = "postgres.password";

/** It copies the password file too, so read the password afterwards. */
export async function newCluster(
  dataDir: string,
  folder: string,
  binaries: Binaries,
): Promise<void> {
  const made = process.env[clusterVariable];
  if (!made) return initialise(dataDir, folder, binaries);
  copyFileSync(join(made, passwordFile), join(dataDir, passwordFile));
  // Keeps the owners of the files, which may differ from the current user.
  execFileSync("cp", ["-a", join(made, "postgres"), folder]);
}
