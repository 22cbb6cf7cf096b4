// Which programs a test or a campaign needs and this machine lacks.

import { spawnSync } from "node:child_process";

/** Why what runs these commands must be skipped here, or undefined when all of them are there. */
export function missingCommands(...names: string[]): string | undefined {
  const missing = names.filter((name) => spawnSync(name, ["--version"]).error);
  return missing.length > 0 ? `this machine has no ${missing.join(" and no ")}` : undefined;
}
