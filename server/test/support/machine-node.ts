// The Node that this machine has besides the one of our packages.

import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";

/** The PATH without folders of packages, as in a shell outside of this repository. */
export const machinePath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

/** Its major version. Undefined: there is none. */
export function machineNodeMajor(): number | undefined {
  const env = { PATH: machinePath };
  const { stdout, error } = spawnSync("node", ["--version"], { env, encoding: "utf8" });
  return error ? undefined : Number(/^v(\d+)/.exec(stdout)?.[1]);
}
