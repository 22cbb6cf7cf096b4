// Builds the console's page if it is missing, for tests that load it.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const folder = join(import.meta.dirname, "..", "..", "..", "console");

export const consoleDist = join(folder, "dist");

export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(folder, "build.ts")]);
}
