// Builds the console's page if it is missing, for tests that load it.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const folder = join(import.meta.dirname, "..", "..", "..", "console");

export const consoleDist = join(folder, "dist");

let built: Promise<unknown> | undefined;

/** Looks once in each process: the sources don't change during a run. */
export async function buildConsole(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, [join(folder, "build.ts")]);
  await built;
}
