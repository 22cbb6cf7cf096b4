// A folder for the data of a PostgreSQL of the tests: in memory, where the machine has enough. A run creates and deletes
// hundreds of databases with hundreds of files each, which on a disk takes half of the time in the kernel.

import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "../../src/platform/embedded/embedded-binaries.ts";

const memory = "/dev/shm";
const neededBytes = 6 * 1024 ** 3;
const prefix = "disburse-data-";
const unusedMs = 86_400_000;

/** `TMPDIR` names another place. */
export function newDataFolder(): string {
  const folder = process.env.TMPDIR || !hasMemory() ? undefined : mkdtempSync(join(memory, prefix));
  if (folder === undefined) return mkdtempSync(join(tmpdir(), prefix));
  try {
    // As root it may need a copy of the programs, which do not run from memory everywhere.
    findBinaries(folder);
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return mkdtempSync(join(tmpdir(), prefix));
  }
}

/** Runs that were killed leave theirs behind. */
export function removeUnusedDataFolders(): void {
  if (!hasMemory()) return;
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    const path = join(memory, name);
    // Another run may be removing it.
    const changedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedAtMs < Date.now() - unusedMs) rmSync(path, { recursive: true, force: true });
  }
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > neededBytes;
  } catch {
    return false;
  }
}
